import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { mixMirrored } from '@guise/kernels/face/mend.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import { clamp } from '@guise/kernels/clamp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { type Front, frontAt } from '../front/front.ts';
import { type Atlas, type AtlasColours, copyColours, LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { learnedZones } from './uncover.ts';

/** Radius of the box blur that softens a beard's edge, texels of `FRONT_SIDE`; applied twice. */
const EDGE_RADIUS_TEXELS = 2;
/** Gain of the blurred shares, so that hairs at the edge stay whole. */
const EDGE_GAIN = 1.5;
/** Largest factor on luma: a grey beard on a dark face. */
const MOST_LUMA = 1.3;
/** Least and largest factor on colour, beyond that of luma: black hair is greyer than skin. */
const [LEAST_COLOUR, MOST_COLOUR] = [0.4, 1];

/**
 * A source's beard as factors that it puts on the bare face, so that it suits any skin in any
 * light. Planes of the atlas's size, 1 where no hairs are.
 */
export interface Beard {
  readonly side: number;
  readonly luma: Float32Array;
  /** Factor on both colour differences. */
  readonly colour: Float32Array;
}

/**
 * Returns the beard that makes the difference between a seen face and the same face shaven. Towards
 * the jaw, where the mesh ends, it fades.
 * @param layout of `FRONT_SIDE`, or of the atlas's if that is less
 */
export function beardOf(
  seen: AtlasColours,
  shaven: AtlasColours,
  front: Front,
  layout: RegionMasks,
  make: PlaneMaker,
): Beard {
  const coarse = frontAt(front.shares.beard, layout.side, make);
  boxBlur(coarse, layout.side, layout.side, EDGE_RADIUS_TEXELS, 2);
  const zone = learnedZones(layout).beard;
  for (let i = 0; i < coarse.length; i++) coarse[i] = zone[i]! * clamp(EDGE_GAIN * coarse[i]!, 0, 1);
  const { side } = shaven;
  const shares = enlargeSquare(coarse, layout.side, side / layout.side, make.uninitialised(side * side));
  const luma = new Float32Array(side * side).fill(1);
  const colour = new Float32Array(side * side).fill(1);
  for (let i = 0; i < shares.length; i++) {
    const share = shares[i]!;
    if (share === 0) continue;
    const ratio = (seen.luma[i]! + LUMA_NOISE_FLOOR) / (shaven.luma[i]! + LUMA_NOISE_FLOOR);
    luma[i] = 1 + share * (Math.min(MOST_LUMA, ratio) - 1);
    const [blue, red] = [ratio * shaven.blue[i]!, ratio * shaven.red[i]!];
    const along = (seen.blue[i]! * blue + seen.red[i]! * red + 1) / (blue * blue + red * red + 1);
    colour[i] = 1 + share * (Math.min(1, ratio) * clamp(along, LEAST_COLOUR, MOST_COLOUR) - 1);
  }
  return { side, luma, colour };
}

/** Takes the other half's beard where the other half of the face is used, in place. */
export function completeBeard({ side, luma, colour }: Beard, mirrored: Float32Array, make: PlaneMaker): void {
  const none = make.floats(mirrored.length);
  const steps = { luma: none, blue: none, red: none };
  const planes = { luma, blue: colour, red: make.floats(side * side), facing: make.floats(side * side) };
  mixMirrored(planes, mirrored, steps, COARSE_SIDE, side);
}

/** Puts a beard on a shaven face. Returns a new atlas. */
export function bearded(face: Atlas, beard: Beard, make: PlaneMaker): Atlas {
  const worn = copyColours(face, make);
  for (let i = 0; i < beard.luma.length; i++) {
    worn.luma[i]! *= beard.luma[i]!;
    worn.blue[i]! *= beard.colour[i]!;
    worn.red[i]! *= beard.colour[i]!;
  }
  return { ...worn, facing: face.facing };
}

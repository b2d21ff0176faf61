import { clamp } from '@guise/kernels/clamp.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker, Workspace } from '@guise/kernels/workspace.ts';
import { compositeFace, type FaceTexture } from '../draw/composite.ts';
import { shareBehindLenses } from '../front/covered-eyes.ts';
import type { Front } from '../front/front.ts';
import { DARK_FLOOR_LUMA } from '../match/compose.ts';
import { angleBetween, angleToCamera, glassesMesh } from '../shape/glasses-mesh.ts';
import { type Glasses, throughLenses } from '../source/glasses.ts';
import type { SourceFace } from '../source/source-face.ts';
import { wholeGlasses } from '../source/whole-glasses.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { Atlas } from '../uv/atlas.ts';
import { type AtlasLayout, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { packFace } from './texture-face.ts';

/** Share of the target's eyes behind lenses from which it keeps its own glasses. */
const OWN_GLASSES_SHARE = 0.25;
/** Largest angle between source and target at which the glasses look right, degrees. */
const MAX_TURN_DEGREES = 28;
/** Largest angle between the source and the camera, degrees: beyond it arms hide lenses. */
const MAX_ASIDE_DEGREES = 28;
/** Least and largest gain by another light: a rim in the shade may be black in any light. */
const [MIN_GAIN, MAX_GAIN] = [0.6, 1.6];
/** Largest luma of a rim. */
const MAX_LUMA = 250;
/** Distance outside the lenses, sides. 0 at `from`: these are rims; 1 at `to`: these are arms. */
const ARM_SIDES: Ramp = { from: 0.01, to: 0.05 };

/**
 * Puts a source's glasses on, or takes them off for good: if they suit, its face is the one that is
 * seen through their lenses; else it has no glasses.
 * @param landmarks of the target @param front things in front of it
 */
export function wearing(
  source: SourceFace,
  landmarks: Float32Array,
  front: Front,
  coarseLayout: AtlasLayout,
  make: PlaneMaker,
): SourceFace {
  const { glasses } = source;
  if (!glasses) return source;
  const isWorn =
    shareBehindLenses(front, coarseLayout, make) < OWN_GLASSES_SHARE &&
    angleToCamera(glasses.landmarks) <= MAX_ASIDE_DEGREES &&
    angleBetween(glasses.landmarks, landmarks) <= MAX_TURN_DEGREES;
  return isWorn ? { ...source, atlas: throughLenses(source.atlas, glasses) } : { ...source, glasses: null };
}

/**
 * Draws glasses over a swapped face, in the target's light.
 * @param swapped picture with the face, which is changed
 * @param mesh that the face was drawn with
 * @param texture the face's, whose grain and softness they get
 */
export function drawGlasses(
  swapped: RgbImage,
  glasses: Glasses,
  target: TargetFace,
  mesh: Float32Array,
  texture: FaceTexture,
  layout: AtlasLayout,
  space: Workspace,
): void {
  const opaque = space.uninitialised(layout.side ** 2).fill(1);
  for (const part of wholeGlasses(glasses, layout)) {
    const rgba = packFace(inLightOf(part, target, layout, space), opaque, layout, space);
    const hidden = space.copyOf(target.occluded);
    for (let i = 0; i < hidden.length; i++) hidden[i] = 1 - part.rims[i]! * (1 - hidden[i]!);
    const [left, right] = part.ends;
    const placed = glassesMesh(part.landmarks, mesh, (vertex) => {
      const x = layout.points[2 * vertex]! / layout.side;
      return ramp(ARM_SIDES, Math.max(left - x, x - right));
    });
    const drawn = { ...texture, rgba, occluded: hidden };
    compositeFace(swapped, layout, drawn, placed, placed, space, swapped.data);
  }
}

/** Gives glasses the target's light. Returns a new atlas. */
function inLightOf(
  { atlas, light: from }: Glasses,
  { light: to, colour }: TargetFace,
  { side }: AtlasLayout,
  make: PlaneMaker,
): Atlas {
  const [gain, blue, red] = [0, 1, 2].map(() => make.uninitialised(COARSE_SIDE ** 2));
  for (let i = 0; i < gain!.length; i++) {
    const before = from.luma[i]! + DARK_FLOOR_LUMA;
    const after = to.luma[i]! + DARK_FLOOR_LUMA;
    gain![i] = clamp(after / before, MIN_GAIN, MAX_GAIN);
    blue![i] = to.blue[i]! / after - from.blue[i]! / before;
    red![i] = to.red[i]! / after - from.red[i]! / before;
  }
  const [gains, blues, reds] = [gain!, blue!, red!].map((plane) =>
    enlargeSquare(plane, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(side * side)),
  );
  const lit = { luma: make.copyOf(atlas.luma), blue: make.copyOf(atlas.blue), red: make.copyOf(atlas.red) };
  for (let i = 0; i < side * side; i++) {
    const luma = lit.luma[i]! * gains![i]!;
    lit.luma[i] = Math.min(MAX_LUMA, luma);
    // What is dark has little colour in any light.
    lit.blue[i] = colour * (lit.blue[i]! * gains![i]! + blues![i]! * luma);
    lit.red[i] = colour * (lit.red[i]! * gains![i]! + reds![i]! * luma);
  }
  return { side, ...lit, facing: atlas.facing };
}

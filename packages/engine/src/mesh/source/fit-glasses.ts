import { clamp } from '@guise/kernels/clamp.ts';
import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { DARK_FLOOR_LUMA } from '../match/compose.ts';
import { glassesMesh } from '../shape/glasses-mesh.ts';
import { type Front, frontAt } from '../front/front.ts';
import type { Light } from '../skin/light.ts';
import type { Atlas } from '../uv/atlas.ts';
import { type AtlasLayout, COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Glasses } from './glasses.ts';
import { texelsWhere } from '../uv/texel.ts';

/** Share of the target's eyes behind lenses from which it keeps its own glasses. */
export const OWN_GLASSES_SHARE = 0.25;
/** Distance outside the lenses, sides. 0 at `from`: these are rims; 1 at `to`: this is the ear. */
const ARM_SIDES: Ramp = { from: 0.02, to: 0.1 };
/** Distance outside the lenses, sides. 0 at `from`: these are rims; 1 at `to`: these are arms. */
const RIM_SIDES: Ramp = { from: 0.03, to: 0.05 };
/** Least and largest gain by another light: a rim in the shade may be black in any light. */
const [MIN_GAIN, MAX_GAIN] = [0.6, 1.6];
/** Largest luma of a rim. */
const MAX_LUMA = 250;
/** Box radius that closes gaps between strands of hair, sides; applied twice. */
const STRAND_SIDES = 1 / 48;
/** Share of hair around a texel. 0 at `from`: glasses are seen; 1 at `to`: hair hides them. */
const UNDER_HAIR: Ramp = { from: 0.15, to: 0.45 };
/** Box radius around rims in which texels get a colour. */
const BESIDE_TEXELS = 2;

/** Returns the mesh to draw glasses with, on a face with this mesh. */
export function placeGlasses(
  { ends, landmarks }: Glasses,
  mesh: Float32Array,
  { points, side }: AtlasLayout,
): Float32Array {
  return glassesMesh(landmarks, mesh, (vertex) =>
    ramp(ARM_SIDES, outsideLenses(ends, points[2 * vertex]! / side)),
  );
}

/** Returns how far a place is outside the lenses, sides; below 0 between their ends. */
function outsideLenses([left, right]: Glasses['ends'], x: number): number {
  return Math.max(left - x, x - right);
}

/**
 * Measures what hides glasses. Rims lie over hair, because half a rim looks torn. Arms lie below
 * it, and below the gaps between its strands. Returns a new plane of the layout's size.
 * @param occluded share of each texel that things in front of the face hide
 */
export function beforeGlasses(
  { ends }: Glasses,
  occluded: Float32Array,
  front: Front,
  { side }: AtlasLayout,
  make: PlaneMaker,
): Float32Array {
  const hidden = make.copyOf(frontAt(front.shares.hair, side, make));
  boxBlur(hidden, side, side, boxRadius(STRAND_SIDES * side), 2);
  for (let i = 0; i < hidden.length; i++) {
    const hair = ramp(UNDER_HAIR, hidden[i]!);
    const rim = occluded[i]! * (1 - hair);
    const arm = ramp(RIM_SIDES, outsideLenses(ends, ((i % side) + 0.5) / side));
    hidden[i] = rim + arm * (Math.max(occluded[i]!, hair) - rim);
  }
  endArms(hidden, ends, side);
  return hidden;
}

/**
 * Ends arms where hair begins, in place, so that no piece of them floats beyond it.
 * @param hidden share of each texel that things in front hide
 */
export function endArms(hidden: Float32Array, [left, right]: Glasses['ends'], side: number): void {
  for (let i = 1; i < hidden.length; i++)
    if ((i % side) / side > right) hidden[i] = Math.max(hidden[i]!, hidden[i - 1]!);
  for (let i = hidden.length - 2; i >= 0; i--)
    if (((i % side) + 1) / side < left) hidden[i] = Math.max(hidden[i]!, hidden[i + 1]!);
}

/** Lists the texels of rims, and those beside them, which colours are interpolated with. */
export function rimTexels({ rims, atlas: { side } }: Glasses, make: PlaneMaker): Uint32Array {
  const near = make.copyOf(rims);
  boxBlur(near, side, side, BESIDE_TEXELS, 1);
  return texelsWhere(near.length, (i) => near[i]! > 0);
}

/** What glasses must know of a target. */
export interface LitTarget {
  readonly light: Light;
  /** Share of colour: 0 is black and white, 1 is colour. */
  readonly colour: number;
}

/** Gives these texels of glasses the target's light. Returns a new atlas. */
export function inLightOf(
  { atlas, light: from }: Glasses,
  texels: Uint32Array,
  { light: to, colour }: LitTarget,
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
  for (let k = 0; k < texels.length; k++) {
    const i = texels[k]!;
    const luma = lit.luma[i]! * gains![i]!;
    lit.luma[i] = Math.min(MAX_LUMA, luma);
    // What is dark has little colour in any light. A reflection of other light than that on the
    // face gets grey at most, not blue.
    const [ownBlue, ownRed] = [lit.blue[i]! * gains![i]!, lit.red[i]! * gains![i]!];
    lit.blue[i] = colour * Math.min(ownBlue + blues![i]! * luma, Math.max(0, ownBlue));
    lit.red[i] = colour * Math.max(ownRed + reds![i]! * luma, Math.min(0, ownRed));
  }
  return { side, ...lit, facing: atlas.facing };
}

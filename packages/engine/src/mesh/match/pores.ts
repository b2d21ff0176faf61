import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { robustStd } from '../skin/robust-std.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, FACE_SHARE, perLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { smoothedWithin } from './smoothed-within.ts';

/**
 * Size of the source's face over its drawn size, both in pixels. 0 at `from`: its skin has detail
 * of its own; 1 at `to`: it has none.
 */
const LOW_RESOLUTION: Ramp = { from: 0.7, to: 0.5 };
/** Box radius of the blur of skin, in pixels of the source. Finer detail is noise and ringing. */
const UNSEEN_PIXELS = 1;
/**
 * Certainty of the target's skin. 0 at `from`: its pores are ignored; 1 at `to`: they count fully.
 */
const SURE_SKIN: Ramp = { from: 0.15, to: 0.5 };
/**
 * Detail of the source's skin, in multiples of its deviation. 0 at `from`: the detail is replaced;
 * 1 at `to`: it stays.
 */
const OWN_MARK: Ramp = { from: 4, to: 8 };
/** Mean detail around it. 0 at `from`: it is a speck, of a fold or of noise; 1 at `to`: a mark. */
const AROUND_MARK: Ramp = { from: 1.5, to: 3 };
/** Box radius of that mean, texels. */
const MARK_TEXELS = 2;
/**
 * Detail of the target's skin, in multiples of its deviation. 0 at `from`: it is pores; 1 at `to`:
 * it is something else.
 */
const FOREIGN_MARK: Ramp = { from: 2, to: 4 };
/** Number of bins of a histogram of deviations, and number of bins per level of luma. */
const [BIN_COUNT, BINS_PER_LEVEL] = [512, 16];

/**
 * Measures how much of the target's pores a source needs, 0..1. The source needs all of them if
 * each of its pixels is drawn as two or more, up to the resolution of the atlas.
 * @param source, target longer sides of the faces, pixels @param side of the atlas
 */
export function poreShare(source: number, target: number, side: number): number {
  return ramp(LOW_RESOLUTION, source / Math.min(target, FACE_SHARE * side));
}

/**
 * Gives the lit face the pores of the target's skin, in place. A source needs them if it is too
 * small to have any, or if its skin is so different that its glints look like specks.
 * Features, folds and moles stay the source's. Wrinkles and freckles of the target are not copied.
 * @param pixelTexels size of the source's pixels in the atlas @param share 0..1, see `poreShare`
 */
export function borrowPores(
  lit: Atlas,
  target: TargetFace,
  layout: AtlasLayout,
  pixelTexels: number,
  share: number,
  make: PlaneMaker,
): void {
  if (share === 0) return;
  const { side } = layout;
  const skin = skinOf(target, layout, make);
  const planes = [lit.luma, lit.blue, lit.red, target.atlas.luma];
  const smooth = smoothedWithin(planes, skin, side, UNSEEN_PIXELS * pixelTexels, make);
  const [luma, blue, red, pores] = smooth as [Float32Array, Float32Array, Float32Array, Float32Array];
  const own = deviation(lit.luma, luma, skin);
  const foreign = deviation(target.atlas.luma, pores, skin);
  const around = make.uninitialised(skin.length);
  for (let i = 0; i < around.length; i++) around[i] = Math.abs(lit.luma[i]! - luma[i]!);
  boxBlur(around, side, side, MARK_TEXELS, 1);
  for (let i = 0; i < skin.length; i++) {
    const weight = share * skin[i]!;
    if (weight === 0) continue;
    const detail = lit.luma[i]! - luma[i]!;
    const isMark = ramp(OWN_MARK, Math.abs(detail) / own) * ramp(AROUND_MARK, around[i]! / own);
    const kept = detail * isMark;
    const pore = target.atlas.luma[i]! - pores[i]!;
    const taken = pore * (1 - ramp(FOREIGN_MARK, Math.abs(pore) / foreign));
    lit.luma[i]! += weight * (kept + taken - detail);
    lit.blue[i]! += weight * (blue[i]! - lit.blue[i]!);
    lit.red[i]! += weight * (red[i]! - lit.red[i]!);
  }
}

/** Returns the certainty of the target's bare skin, away from features and things in front. */
function skinOf({ skin, occluded }: TargetFace, layout: AtlasLayout, make: PlaneMaker): Float32Array {
  const { side } = layout;
  const sure = enlargeSquare(skin, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(side * side));
  const bare = bareSkin(layout);
  for (let i = 0; i < sure.length; i++) sure[i] = bare[i]! * (1 - occluded[i]!) * ramp(SURE_SKIN, sure[i]!);
  return sure;
}

/** Skin without brows, lids, nostrils and lips, and without the skin close to them. */
export const bareSkin = perLayout(({ oval, features, holes, browArea, lids }: AtlasLayout): Float32Array =>
  oval.map(
    (inside, i) => inside * (1 - features[i]!) * (1 - holes[i]!) * (1 - browArea[i]!) * (1 - lids[i]!),
  ),
);

/** Estimates the standard deviation of skin detail, levels, without far outliers. */
function deviation(plane: Float32Array, smooth: Float32Array, skin: Float32Array): number {
  const histogram = new Uint32Array(BIN_COUNT);
  let count = 0;
  for (let i = 0; i < skin.length; i += 3) {
    if (skin[i]! < 0.5) continue;
    histogram[Math.min(BIN_COUNT - 1, (BINS_PER_LEVEL * Math.abs(plane[i]! - smooth[i]!)) | 0)]! += 1;
    count += 1;
  }
  return robustStd(histogram, BINS_PER_LEVEL, count);
}

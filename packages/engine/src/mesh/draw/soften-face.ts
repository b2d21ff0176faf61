import { clamp } from '@guise/kernels/clamp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { lumaOf } from '@guise/kernels/luma.ts';
import { robustStd } from '../skin/robust-std.ts';
import type { Region } from './allowance.ts';
import { edgeBlur } from './edge-blur.ts';

/** Variance of one box blur of radius 1, square pixels. */
const BOX_VARIANCE = 2 / 3;
/**
 * Size of a detail in deviations of the noise. 0 at `from`: it is noise; 1 at `to`: it is a
 * feature.
 */
const FEATURE_DEVIATIONS: Ramp = { from: 2.5, to: 4.5 };
/**
 * Blur of a picture's edges, see `edgeBlur`. 0 at `from`: the picture is sharp; 1 at `to`: it is
 * soft.
 */
const SOFT_PICTURE: Ramp = { from: -0.5, to: 0 };
/**
 * Variance, square pixels, by which features may differ in a picture with sharp edges, because
 * people's brows and lips differ.
 */
const FEATURE_VARIANCE = 0.75;
/** Variance below which a blur is invisible, square pixels. */
const MIN_VARIANCE = 0.1;
/**
 * Factor on the share by which a pixel may change, so that edges are softened too and are not
 * jagged.
 */
const SOFTENED_GAIN = 4;
/** Number of bins of a histogram of deviations, and number of bins per level. */
const [BIN_COUNT, BINS_PER_LEVEL] = [512, 8];

/**
 * Blurs the face that was drawn into a soft picture, in place, and restores the noise that this
 * blur would remove from the target's own skin. Lines at the face's edge, such as those of the
 * lips, become as soft as the rest.
 * @param before the region as it was, see `cropImage`
 * @param swapped the picture with the face
 * @param allowance how much each pixel of the region may change, see `allowanceOf`
 * @param missing variance of the blur by which the face's features are too sharp, square pixels
 */
export function softenFace(
  before: Uint8Array,
  swapped: RgbImage,
  area: Region,
  allowance: Float32Array,
  missing: number,
  make: PlaneMaker,
): void {
  const variance = missing - featureVariance(before, area, make);
  if (variance < MIN_VARIANCE) return;
  const change = make.uninitialised(allowance.length);
  const noise = make.uninitialised(allowance.length);
  const { data } = swapped;
  for (let channel = 0; channel < 3; channel++) {
    for (let y = 0, i = 0; y < area.height; y++) {
      let at = firstOfRow(swapped, area, y) + channel;
      for (let x = 0; x < area.width; x++, i++, at += 3) {
        noise[i] = before[3 * i + channel]!;
        change[i] = data[at]! - noise[i]!;
      }
    }
    blur(change, area, variance, make);
    blur(noise, area, variance, make);
    for (let i = 0; i < noise.length; i++) noise[i] = before[3 * i + channel]! - noise[i]!;
    const deviation = deviationOf(noise, allowance);
    const least = FEATURE_DEVIATIONS.from * deviation;
    for (let y = 0, i = 0; y < area.height; y++) {
      let at = firstOfRow(swapped, area, y) + channel;
      for (let x = 0; x < area.width; x++, i++, at += 3) {
        if (allowance[i] === 0) continue;
        const size = Math.abs(noise[i]!);
        const feature = size > least ? noise[i]! * ramp(FEATURE_DEVIATIONS, size / deviation) : 0;
        const soft = before[3 * i + channel]! + change[i]! - feature;
        const share = Math.min(1, SOFTENED_GAIN * allowance[i]!);
        data[at] = clamp(Math.round(data[at]! + share * (soft - data[at]!)), 0, 255);
      }
    }
  }
}

/**
 * Returns the part of the missing blur that does not come from the picture, because its edges are
 * sharp.
 */
function featureVariance(before: Uint8Array, area: Region, make: PlaneMaker): number {
  const luma = make.uninitialised(area.width * area.height);
  for (let i = 0; i < luma.length; i++)
    luma[i] = lumaOf(before[3 * i]!, before[3 * i + 1]!, before[3 * i + 2]!);
  return FEATURE_VARIANCE * (1 - ramp(SOFT_PICTURE, edgeBlur(luma, area, make)));
}

/**
 * Blurs a plane of the region, in place, with whole boxes and with a share of one more box for the
 * rest.
 */
function blur(plane: Float32Array, { width, height }: Region, variance: number, make: PlaneMaker): void {
  const boxes = Math.floor(variance / BOX_VARIANCE);
  if (boxes > 0) boxBlur(plane, width, height, 1, boxes);
  const share = variance / BOX_VARIANCE - boxes;
  const more = make.copyOf(plane);
  boxBlur(more, width, height, 1, 1);
  for (let i = 0; i < plane.length; i++) plane[i]! += share * (more[i]! - plane[i]!);
}

/**
 * Measures the noise under the drawn face as a standard deviation in levels, mostly outside
 * features.
 */
function deviationOf(noise: Float32Array, allowance: Float32Array): number {
  const histogram = new Uint32Array(BIN_COUNT);
  let count = 0;
  for (let i = 0; i < noise.length; i++) {
    if (allowance[i] === 0) continue;
    histogram[Math.min(BIN_COUNT - 1, (BINS_PER_LEVEL * Math.abs(noise[i]!)) | 0)]! += 1;
    count += 1;
  }
  return robustStd(histogram, BINS_PER_LEVEL, count);
}

/** Returns the index in the picture of the first pixel of a row of the region. */
function firstOfRow({ width }: RgbImage, area: Region, row: number): number {
  return 3 * ((area.y + row) * width + area.x);
}

import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { lumaOf } from '@guise/kernels/luma.ts';
import { CORE_SKIN } from '../uv/face-regions.ts';
import { robustStd } from '../skin/robust-std.ts';

/** Rings of vertices around the cheeks. */
const CHEEKS = CORE_SKIN.slice(0, 2);
/** Share of a cheek's width and height, around its middle, in which noise is measured. */
const MIDDLE_SHARE = 0.6;
/** Largest number of rows, and of columns, to measure. */
const MAX_ROWS = 64;
/**
 * Standard deviation of the filter's response to noise of standard deviation 1: the square root of
 * the sum of its squared weights.
 */
const FILTER_GAIN = 6;
/** Number of samples below which noise is not measured. */
const MIN_SAMPLES = 24;
/** Luma above which skin is overexposed, so that its noise is clipped. */
const BURNT_OUT_LUMA = 250;
/** Bins of the histogram of responses. */
const BIN_COUNT = 1024;
/** Number of bins for one level of luma. */
const BINS_PER_LEVEL = 8;
/**
 * Longer side of a face, pixels. 0 at `from`: its skin shows only relief and noise; 1 at `to`:
 * pores are wider than a pixel.
 */
const PORES_FACE_PX: Ramp = { from: 100, to: 250 };
/** Factor on the noise of single pixels that makes room for the grain of visible pores. */
const PORES_GAIN = 2;

/**
 * Measures the most grain that may be added to a face of this picture, as a standard deviation in
 * levels of luma: the noise of single pixels on its cheeks, and more if pores show too. Returns
 * `Infinity` if too little skin shows. The finest band of a small face's atlas holds as much relief
 * as grain, so without this limit it would give noise that the picture lacks. Noise is estimated as
 * by Immerkaer ("Fast noise variance estimation", 1996), but with a median, so that edges and
 * shading do not count.
 * @param landmarks 468 or 478 x (x, y, z), pixels
 * @param facePixels longer side of the face's box
 */
export function mostGrain(image: RgbImage, landmarks: Float32Array, facePixels: number): number {
  const histogram = new Uint32Array(BIN_COUNT);
  let count = 0;
  for (const cheek of CHEEKS) count += countResponses(image, landmarks, cheek, histogram);
  if (count < MIN_SAMPLES) return Infinity;
  const noise = robustStd(histogram, BINS_PER_LEVEL, count) / FILTER_GAIN;
  return noise * (1 + (PORES_GAIN - 1) * ramp(PORES_FACE_PX, facePixels));
}

function countResponses(
  image: RgbImage,
  landmarks: Float32Array,
  ring: readonly number[],
  histogram: Uint32Array,
): number {
  const { left, top, right, bottom } = middleOf(landmarks, ring);
  const x0 = Math.max(1, Math.floor(left));
  const y0 = Math.max(1, Math.floor(top));
  const x1 = Math.min(image.width - 1, Math.ceil(right));
  const y1 = Math.min(image.height - 1, Math.ceil(bottom));
  const stepX = Math.max(1, Math.floor((x1 - x0) / MAX_ROWS));
  const stepY = Math.max(1, Math.floor((y1 - y0) / MAX_ROWS));
  let count = 0;
  for (let y = y0; y < y1; y += stepY)
    for (let x = x0; x < x1; x += stepX) {
      const at = y * image.width + x;
      if (lumaAt(image, at) > BURNT_OUT_LUMA) continue;
      histogram[binAt(image, at)]! += 1;
      count += 1;
    }
  return count;
}

/** Returns the middle of the box around some vertices. */
function middleOf(
  landmarks: Float32Array,
  ring: readonly number[],
): { left: number; top: number; right: number; bottom: number } {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const v of ring) {
    left = Math.min(left, landmarks[3 * v]!);
    right = Math.max(right, landmarks[3 * v]!);
    top = Math.min(top, landmarks[3 * v + 1]!);
    bottom = Math.max(bottom, landmarks[3 * v + 1]!);
  }
  const aside = ((1 - MIDDLE_SHARE) / 2) * (right - left);
  const inwards = ((1 - MIDDLE_SHARE) / 2) * (bottom - top);
  return { left: left + aside, right: right - aside, top: top + inwards, bottom: bottom - inwards };
}

/**
 * Returns the histogram bin of the difference of two Laplacians at a pixel. The difference is 0 on
 * every plane and on every straight edge along the grid.
 */
function binAt(image: RgbImage, at: number): number {
  const above = at - image.width;
  const below = at + image.width;
  const corners =
    lumaAt(image, above - 1) + lumaAt(image, above + 1) + lumaAt(image, below - 1) + lumaAt(image, below + 1);
  const sides = lumaAt(image, above) + lumaAt(image, at - 1) + lumaAt(image, at + 1) + lumaAt(image, below);
  return Math.min(
    BIN_COUNT - 1,
    (BINS_PER_LEVEL * Math.abs(4 * lumaAt(image, at) - 2 * sides + corners)) | 0,
  );
}

function lumaAt({ data }: RgbImage, pixel: number): number {
  return lumaOf(data[3 * pixel]!, data[3 * pixel + 1]!, data[3 * pixel + 2]!);
}

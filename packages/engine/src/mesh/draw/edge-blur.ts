import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Region } from './allowance.ts';

/** Variance of the blur added to compare edges, square pixels: two boxes of radius 1. */
const COMPARED_VARIANCE = 4 / 3;
/** Variance that the difference of two neighbours adds to an edge, square pixels. */
const DIFFERENCE_VARIANCE = 1;
/** Share of all pixels that count as edges, because they have the steepest slopes. */
const EDGE_SHARE = 0.03;
/** Number of bins in the histogram of slopes, and number of bins for a slope of one grey level. */
const [BIN_COUNT, BINS_A_LEVEL] = [1024, 4];
/** Largest blur that can be measured, square pixels. */
const MAX_VARIANCE = 9;

/**
 * Measures how soft the steepest edges of a region are, as the variance of their blur in square
 * pixels: about -0.5 if edges are as sharp as pixels can be, 0 or more if they are softer. The
 * softer an edge is, the less of its steepness another blur removes, at any contrast (after Zhuo
 * and Sim, Defocus map estimation from a single image, 2011).
 * @param luma of the region, row by row
 */
export function edgeBlur(luma: Float32Array, { width, height }: Region, make: PlaneMaker): number {
  const blurred = make.copyOf(luma);
  boxBlur(blurred, width, height, 1, 2);
  const slopes = make.floats(luma.length);
  const histogram = new Uint32Array(BIN_COUNT);
  for (let y = 1; y < height - 1; y++)
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      slopes[i] = slopeAt(luma, i, width);
      histogram[binOf(slopes[i]!)]! += 1;
    }
  const least = leastOf(histogram);
  const variances: number[] = [];
  for (let i = 0; i < slopes.length; i++)
    if (slopes[i]! > 0 && binOf(slopes[i]!) >= least)
      variances.push(varianceOf(slopes[i]! / slopeAt(blurred, i, width)));
  return variances.sort((a, b) => a - b)[variances.length >> 1] ?? MAX_VARIANCE;
}

function binOf(slope: number): number {
  return Math.min(BIN_COUNT - 1, (slope * BINS_A_LEVEL) | 0);
}

/** Returns the lowest bin that counts as an edge. */
function leastOf(histogram: Uint32Array): number {
  let wanted = EDGE_SHARE * histogram.reduce((sum, count) => sum + count, 0);
  let bin = BIN_COUNT - 1;
  while (bin > 0 && (wanted -= histogram[bin]!) > 0) bin -= 1;
  return bin;
}

/** Computes the blur of an edge. @param ratio its steepness over its steepness after the blur */
function varianceOf(ratio: number): number {
  if (!(ratio > 1)) return MAX_VARIANCE;
  return Math.min(MAX_VARIANCE, COMPARED_VARIANCE / (ratio * ratio - 1) - DIFFERENCE_VARIANCE);
}

function slopeAt(plane: Float32Array, i: number, width: number): number {
  const across = plane[i + 1]! - plane[i - 1]!;
  const down = plane[i + width]! - plane[i - width]!;
  return Math.sqrt(across * across + down * down);
}

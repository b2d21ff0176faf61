import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';

/**
 * Look of a face's bare skin: luma as a smooth quadratic over the atlas (its shading), and one skin
 * colour.
 */
export interface SkinModel {
  /** Expected luma, as a plane of the atlas to which the model was fitted. */
  readonly luma: Float32Array;
  /** Luma of the core skin, without its shading. */
  readonly median: number;
  readonly blue: number;
  readonly red: number;
  /** Deviation of the colour differences on this skin. */
  readonly blueDeviation: number;
  readonly redDeviation: number;
}

/** Number of terms of a quadratic in two variables. */
const TERM_COUNT = 6;
/** Number of rounds of the fit, each without the outliers of the previous one. */
const FIT_ROUND_COUNT = 5;
/** Smallest luma of bare skin in shade, as a share of the core's median luma. */
const MIN_SHADED_SHARE = 0.4;
/** Levels of deviation below which colour differences are noise or compression. */
const MIN_DEVIATION_LEVELS = 4;
/**
 * Smallest luma that the quadratic may expect outside the core skin, as a share of the core's
 * median.
 */
const MIN_EXPECTED_SHARE = 0.5;
/** Largest luma that the quadratic may expect there, as a share of the core's median. */
const MAX_EXPECTED_SHARE = 1.45;

/**
 * Fits a model robustly (iteratively reweighted least squares with Cauchy weights) to the core skin
 * that faces the camera. `core` is the plane of texels to use.
 */
export function fitSkin(atlas: Atlas, core: Float32Array, make: PlaneMaker = ordinaryPlanes): SkinModel {
  const { side, luma, blue, red } = atlas;
  const picked = withoutDark(luma, trustedTexels(atlas, core));
  const count = picked.length;
  const lumas = valuesAt(luma, picked);
  const median = medianOf(lumas);
  const spread = Math.max(6, 1.5 * medianDeviation(lumas, median));
  const weights = new Float64Array(count);
  const terms = new Float64Array(count * TERM_COUNT);
  for (let k = 0; k < count; k++) {
    weights[k] = 1 / (1 + ((lumas[k]! - median) / (2 * spread)) ** 2);
    quadraticTerms(picked[k]!, side, terms, k * TERM_COUNT);
  }

  let coefficients: Float64Array = new Float64Array(TERM_COUNT);
  for (let round = 0; round < FIT_ROUND_COUNT; round++) {
    coefficients = fitTerms(terms, lumas, weights);
    for (let k = 0; k < count; k++) {
      weights[k] = 1 / (1 + ((lumas[k]! - dot(coefficients, terms, k * TERM_COUNT)) / spread) ** 2);
    }
  }
  // Also computed outside the oval, so that enlarging its edge mixes in no zeros.
  const expected = make.uninitialised(side * side);
  for (let y = 0; y < side; y++) expectRow(coefficients, side, y, median, expected);
  const blues = valuesAt(blue, picked);
  const reds = valuesAt(red, picked);
  const blueMedian = medianOf(blues);
  const redMedian = medianOf(reds);
  return {
    luma: expected,
    median,
    blue: blueMedian,
    red: redMedian,
    blueDeviation: Math.max(MIN_DEVIATION_LEVELS, 2 * medianDeviation(blues, blueMedian)),
    redDeviation: Math.max(MIN_DEVIATION_LEVELS, 2 * medianDeviation(reds, redMedian)),
  };
}

/** Lists the core's texels that face the camera, or all of the core's if too few do. */
function trustedTexels({ facing }: Atlas, core: Float32Array): Uint32Array {
  let inCore = 0;
  let count = 0;
  for (let i = 0; i < core.length; i++) {
    if (core[i]! <= 0.5) continue;
    inCore += 1;
    if (facing[i]! > 0.3) count += 1;
  }
  const isAll = count < 50;
  const picked = new Uint32Array(isAll ? inCore : count);
  for (let i = 0, k = 0; i < core.length; i++)
    if (core[i]! > 0.5 && (isAll || facing[i]! > 0.3)) picked[k++] = i;
  return picked;
}

/** Removes texels darker than shaded skin, because hair over a cheek would tilt the fit. */
function withoutDark(luma: Float32Array, texels: Uint32Array): Uint32Array {
  const least = MIN_SHADED_SHARE * medianOf(valuesAt(luma, texels));
  const left = new Uint32Array(texels.length);
  let count = 0;
  for (const texel of texels) if (luma[texel]! >= least) left[count++] = texel;
  return left.subarray(0, count);
}

function valuesAt(plane: Float32Array, texels: Uint32Array): Float64Array {
  const values = new Float64Array(texels.length);
  for (let k = 0; k < values.length; k++) values[k] = plane[texels[k]!]!;
  return values;
}

/** Returns the median distance from the middle. */
function medianDeviation(values: Float64Array, middle: number): number {
  const distances = new Float64Array(values.length);
  for (let k = 0; k < values.length; k++) distances[k] = Math.abs(values[k]! - middle);
  return medianOf(distances);
}

/** Solves weighted least squares with `TERM_COUNT` terms for each value. */
function fitTerms(terms: Float64Array, values: Float64Array, weights: Float64Array): Float64Array {
  const matrix = new Float64Array(TERM_COUNT * TERM_COUNT);
  const right = new Float64Array(TERM_COUNT);
  for (let k = 0, at = 0; k < values.length; k++, at += TERM_COUNT) {
    for (let r = 0; r < TERM_COUNT; r++) {
      const weighed = weights[k]! * terms[at + r]!;
      right[r]! += weighed * values[k]!;
      for (let c = 0; c <= r; c++) matrix[r * TERM_COUNT + c]! += weighed * terms[at + c]!;
    }
  }
  for (let r = 0; r < TERM_COUNT; r++) {
    for (let c = 0; c < r; c++) matrix[c * TERM_COUNT + r] = matrix[r * TERM_COUNT + c]!;
    // Pulls the fit a little towards a flat face, because forehead and jaw are extrapolated from
    // the core.
    if (r > 0) matrix[r * TERM_COUNT + r]! += (r < 3 ? 0.002 : 0.02) * values.length;
  }
  return solve(matrix, right);
}

function dot(coefficients: Float64Array, terms: Float64Array, at: number): number {
  let sum = 0;
  for (let r = 0; r < TERM_COUNT; r++) sum += coefficients[r]! * terms[at + r]!;
  return sum;
}

/** Writes one row of the luma that the model expects. */
function expectRow(
  coefficients: Float64Array,
  side: number,
  y: number,
  median: number,
  expected: Float32Array,
): void {
  const [constant = 0, perU = 0, perV = 0, perUu = 0, perUv = 0, perVv = 0] = coefficients;
  const v = (y + 0.5) / side - 0.5;
  for (let x = 0, i = y * side; x < side; x++, i++) {
    const u = (x + 0.5) / side - 0.5;
    const luma = constant + perU * u + perV * v + perUu * (u * u) + perUv * (u * v) + perVv * (v * v);
    expected[i] = Math.min(median * MAX_EXPECTED_SHARE, Math.max(median * MIN_EXPECTED_SHARE, luma));
  }
}

function quadraticTerms(texel: number, side: number, out: Float64Array, at: number): void {
  const u = ((texel % side) + 0.5) / side - 0.5;
  const v = (Math.floor(texel / side) + 0.5) / side - 0.5;
  out[at] = 1;
  out[at + 1] = u;
  out[at + 2] = v;
  out[at + 3] = u * u;
  out[at + 4] = u * v;
  out[at + 5] = v * v;
}

/**
 * Returns the median, or 0 for no values, by selection (Hoare, 1961), which is much faster than
 * sorting.
 */
export function medianOf(values: Float32Array | Float64Array): number {
  const rest = values.slice();
  const middle = rest.length >> 1;
  let low = 0;
  let high = rest.length - 1;
  while (low < high) {
    const pivot = rest[(low + high) >> 1]!;
    let up = low;
    let down = high;
    while (up <= down) {
      while (rest[up]! < pivot) up++;
      while (rest[down]! > pivot) down--;
      if (up > down) break;
      const value = rest[up]!;
      rest[up++] = rest[down]!;
      rest[down--] = value;
    }
    if (middle <= down) high = down;
    else if (middle >= up) low = up;
    else break;
  }
  return rest.length === 0 ? 0 : rest[middle]!;
}

/** Solves a positive definite system by Gaussian elimination without pivoting, in place. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const n = right.length;
  for (let k = 0; k < n; k++) {
    const pivot = matrix[k * n + k]! || 1e-9;
    for (let r = k + 1; r < n; r++) {
      const factor = matrix[r * n + k]! / pivot;
      for (let c = k; c < n; c++) matrix[r * n + c]! -= factor * matrix[k * n + c]!;
      right[r]! -= factor * right[k]!;
    }
  }
  const out = new Float64Array(n);
  for (let r = n - 1; r >= 0; r--) {
    let sum = right[r]!;
    for (let c = r + 1; c < n; c++) sum -= matrix[r * n + c]! * out[c]!;
    out[r] = sum / (matrix[r * n + r]! || 1e-9);
  }
  return out;
}

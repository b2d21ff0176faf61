import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from './atlas.ts';

/**
 * What this face's bare skin looks like: luma as a smooth quadratic over the atlas (that is its shading), one skin colour.
 */
export interface SkinModel {
  /** Expected luma, plane of the atlas that the model was fitted on. */
  readonly luma: Float32Array;
  /** Luma of the core skin, without its shading. */
  readonly median: number;
  readonly blue: number;
  readonly red: number;
  /** How far the colour differences stray on this skin. */
  readonly blueSpread: number;
  readonly redSpread: number;
}

const TERMS = 6;
const FIT_ROUNDS = 5;
/** Colour differences that stray less than this are noise or compression. */
const LEAST_SPREAD = 4;
/** The quadratic may run away outside the core skin: it is held to these multiples of the core's median luma. */
const DARKEST = 0.5;
const BRIGHTEST = 1.45;

/**
 * Robust fit (iteratively reweighted least squares with Cauchy weights) to the core skin that faces the camera.
 * `core` is the plane of texels to trust.
 */
export function fitSkin(atlas: Atlas, core: Float32Array): SkinModel {
  const { side, luma, blue, red, facing } = atlas;
  const picked: number[] = [];
  for (let i = 0; i < core.length; i++) if (core[i]! > 0.5 && facing[i]! > 0.3) picked.push(i);
  if (picked.length < 50) for (let i = 0; i < core.length; i++) if (core[i]! > 0.5) picked.push(i);
  const median = medianOf(picked.map((i) => luma[i]!));
  const spread = Math.max(6, 1.5 * medianOf(picked.map((i) => Math.abs(luma[i]! - median))));
  const weights = new Float64Array(picked.length).fill(1);
  for (const [k, i] of picked.entries()) weights[k] = 1 / (1 + ((luma[i]! - median) / (2 * spread)) ** 2);

  let coefficients: Float64Array = new Float64Array(TERMS);
  const terms = new Float64Array(TERMS);
  for (let round = 0; round < FIT_ROUNDS; round++) {
    const matrix = new Float64Array(TERMS * TERMS);
    const right = new Float64Array(TERMS);
    for (const [k, i] of picked.entries()) {
      quadraticTerms(i, side, terms);
      for (let r = 0; r < TERMS; r++) {
        right[r]! += weights[k]! * terms[r]! * luma[i]!;
        for (let c = 0; c < TERMS; c++) matrix[r * TERMS + c]! += weights[k]! * terms[r]! * terms[c]!;
      }
    }
    // Held a little towards a flat face: the core leaves the forehead and jaw to extrapolation.
    for (let r = 1; r < TERMS; r++) matrix[r * TERMS + r]! += (r < 3 ? 0.002 : 0.02) * picked.length;
    coefficients = solve(matrix, right);
    for (const [k, i] of picked.entries()) {
      quadraticTerms(i, side, terms);
      let predicted = 0;
      for (let r = 0; r < TERMS; r++) predicted += coefficients[r]! * terms[r]!;
      weights[k] = 1 / (1 + ((luma[i]! - predicted) / spread) ** 2);
    }
  }
  // Beyond the oval too: enlarged, its edge must not be mixed with nothing.
  const expected = new Float32Array(side * side);
  for (let i = 0; i < expected.length; i++) {
    quadraticTerms(i, side, terms);
    let predicted = 0;
    for (let r = 0; r < TERMS; r++) predicted += coefficients[r]! * terms[r]!;
    expected[i] = Math.min(median * BRIGHTEST, Math.max(median * DARKEST, predicted));
  }
  const blueMedian = medianOf(picked.map((i) => blue[i]!));
  const redMedian = medianOf(picked.map((i) => red[i]!));
  return {
    luma: expected,
    median,
    blue: blueMedian,
    red: redMedian,
    blueSpread: Math.max(LEAST_SPREAD, 2 * medianOf(picked.map((i) => Math.abs(blue[i]! - blueMedian)))),
    redSpread: Math.max(LEAST_SPREAD, 2 * medianOf(picked.map((i) => Math.abs(red[i]! - redMedian)))),
  };
}

/**
 * How surely a texel is not this face's bare skin, 0..1. `strictness` 0: only what is far off; 1: also what is rather dark
 * (strands of hair).
 */
export function notSkin(
  model: SkinModel,
  expected: number,
  luma: number,
  blue: number,
  red: number,
  strictness: number,
): number {
  const darker = (expected - luma) / (expected + 8);
  const onset = 0.46 - 0.28 * strictness;
  const dark =
    darker > 0
      ? smoothstep(onset, onset + 0.16, darker)
      : smoothstep(0.55 - 0.2 * strictness, 0.85 - 0.2 * strictness, -darker);
  // Colour fades with light: what is dark by shading has small colour differences too.
  const scale = Math.max(0.4, Math.min(1.2, (luma + 8) / (expected + 8)));
  const db = (blue - model.blue * scale) / model.blueSpread;
  const dr = (red - model.red * scale) / model.redSpread;
  const colour = smoothstep(3.2 - strictness, 4.8 - 1.4 * strictness, Math.sqrt(db * db + dr * dr));
  return dark > colour ? dark : colour;
}

/** Skin less red than this (a black-and-white photo) tells nothing by its colour. */
const GREY_RED = 5;
const COLOURED_RED = 12;
/** Redness (red difference over luma) against the bare skin's: shaded skin keeps or gains it, hair has less. */
const HAIR_TONED = 0.85;
const SKIN_TONED = 0.89;

/** How much the colours of skin of this red difference tell, 0 (black-and-white) to 1. */
export function colourTells(red: number): number {
  return smoothstep(GREY_RED, COLOURED_RED, red);
}

/** How surely something dark is this face's skin in the shade by its redness, 0..1; 0 where colours tell nothing. */
export function skinToned(model: SkinModel, luma: number, red: number): number {
  const redness = (red * (model.median + 8)) / ((luma + 8) * Math.max(1, model.red));
  return colourTells(model.red) * smoothstep(HAIR_TONED, SKIN_TONED, redness);
}

function quadraticTerms(texel: number, side: number, out: Float64Array): void {
  const u = ((texel % side) + 0.5) / side - 0.5;
  const v = (Math.floor(texel / side) + 0.5) / side - 0.5;
  out[0] = 1;
  out[1] = u;
  out[2] = v;
  out[3] = u * u;
  out[4] = u * v;
  out[5] = v * v;
}

export function medianOf(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return Float64Array.from(values).sort()[values.length >> 1]!;
}

/** Gaussian elimination (needs no pivoting) of a positive definite system; destroys its arguments. */
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

import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { Atlas } from '../uv/atlas.ts';

/** Side of the atlas in which lines are looked for, texels: thin rims are one or two wide there. */
const SIDE = 256;
/** First row of the band that is looked at: the brows. It ends at the tip of the nose. */
const TOP_TEXELS = 60;
/** Rows of cells in the band. */
const CELL_ROWS = 11;
/** Columns of cells from the midline of the face outwards. */
const CELL_COLUMNS = 7;
/** Height of a cell: rims of a few rows may lie anywhere in it. */
const CELL_HEIGHT_TEXELS = 8;
/** Width of a cell. */
const CELL_WIDTH_TEXELS = 15;
/** Rows of texels in the band. */
const BAND_ROWS = CELL_ROWS * CELL_HEIGHT_TEXELS;
/** Rows above and below the band that its own rows are compared with. */
const MARGIN_TEXELS = 8;

/**
 * Ways in which a line is looked at, across it: x and y to either side, texels, and the number of
 * the way that is its mirror image. The first ones suit thin lines, the last two broad ones.
 */
const WAYS = [
  { dx: 0, dy: 2, mirror: 0 },
  { dx: 2, dy: 0, mirror: 1 },
  { dx: 2, dy: 2, mirror: 3 },
  { dx: 2, dy: -2, mirror: 2 },
  { dx: 0, dy: 5, mirror: 4 },
  { dx: 5, dy: 0, mirror: 5 },
] as const;
/** Number of ways at the head of `WAYS` that look at thin lines. */
const THIN_WAYS = 4;
/** Dark lines and bright ones of each way are counted apart. */
const CHANNELS = 2 * WAYS.length;

/** Numbers that `wornFeatures` gives. */
export const FEATURE_COUNT = CELL_ROWS * CELL_COLUMNS * CHANNELS;

/** Facing that a texel counts with at least: the temples hardly face any camera. */
const MIN_FACING = 0.02;
/** Strength of a line, in mean strengths of the band, that counts half. */
const HALF_SEEN = 2;
/** Mean strength of lines, in logarithms of luma, below which the band shows nothing. */
const FAINTEST = 1e-4;

/** Cell of each texel of the band, -1 outside; both halves of the face share theirs. */
const cellOf = Int16Array.from({ length: SIDE * BAND_ROWS }, (_, k) => {
  const x = k % SIDE;
  const column = Math.floor((x < SIDE / 2 ? SIDE / 2 - 1 - x : x - SIDE / 2) / CELL_WIDTH_TEXELS);
  const row = Math.floor(k / SIDE / CELL_HEIGHT_TEXELS);
  return column < CELL_COLUMNS ? row * CELL_COLUMNS + column : -1;
});

/**
 * Reads how much of dark and of bright lines each cell of the band between brows and nose shows, in
 * shares of the band's own contrast, so that neither light nor blur tells. Both halves of the face
 * are one, the half that faces the camera counting more.
 */
export function wornFeatures(atlas: Atlas, make: PlaneMaker): Float32Array {
  const facing = bandOf(atlas.facing, atlas.side, make);
  const thin = bandOf(atlas.luma, atlas.side, make);
  for (let i = 0; i < thin.length; i++) thin[i] = Math.log(thin[i]! + LUMA_NOISE_FLOOR);
  const rows = thin.length / SIDE;
  boxBlur(thin, SIDE, rows, 1, 1);
  const broad = make.copyOf(thin);
  boxBlur(broad, SIDE, rows, 2, 1);
  const shares = shareOfCells(facing, make);
  const lines = make.uninitialised(SIDE * BAND_ROWS);
  const features = new Float32Array(FEATURE_COUNT);
  for (const [way, { dx, dy, mirror }] of WAYS.entries()) {
    const level = readLines(way < THIN_WAYS ? thin : broad, facing, dy * SIDE + dx, lines);
    addLines(lines, shares, level, way, mirror, features);
  }
  return features;
}

/** Copies the band, with its margins, in the size in which lines are looked for. */
function bandOf(plane: Float32Array, side: number, make: PlaneMaker): Float32Array {
  let scaled = plane;
  if (side > SIDE) scaled = shrinkSquare(plane, side, SIDE, make.uninitialised(SIDE * SIDE));
  if (side < SIDE) scaled = enlargeSquare(plane, side, SIDE / side, make.uninitialised(SIDE * SIDE));
  const from = SIDE * (TOP_TEXELS - MARGIN_TEXELS);
  return make.copyOf(scaled.subarray(from, from + SIDE * (BAND_ROWS + 2 * MARGIN_TEXELS)));
}

/** Gives the share of each texel of the band in its cell, by how much it faces the camera. */
function shareOfCells(facing: Float32Array, make: PlaneMaker): Float32Array {
  const shares = make.floats(SIDE * BAND_ROWS);
  const sums = new Float32Array(CELL_ROWS * CELL_COLUMNS);
  for (let k = 0; k < shares.length; k++) {
    const value = facing[MARGIN_TEXELS * SIDE + k]!;
    if (cellOf[k]! < 0 || value === 0) continue;
    shares[k] = value + MIN_FACING;
    sums[cellOf[k]!]! += shares[k]!;
  }
  for (let k = 0; k < shares.length; k++) if (shares[k]! > 0) shares[k]! /= sums[cellOf[k]!]!;
  return shares;
}

/**
 * Writes how much brighter (above 0) or darker each texel of the band is than the two at this
 * offset on both sides of it.
 * @returns the mean of that, without its sign
 */
function readLines(plane: Float32Array, facing: Float32Array, offset: number, lines: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (let k = 0, i = MARGIN_TEXELS * SIDE; k < lines.length; k++, i++) {
    // Outside of the mesh, which faces nobody, there are no lines.
    if (cellOf[k]! < 0 || facing[i - offset] === 0 || facing[i + offset] === 0 || facing[i] === 0) {
      lines[k] = 0;
      continue;
    }
    const line = plane[i]! - 0.5 * (plane[i - offset]! + plane[i + offset]!);
    lines[k] = line;
    sum += Math.abs(line);
    count += 1;
  }
  return count === 0 ? 1 : sum / count + FAINTEST;
}

/** Adds lines of one way, in shares of `level`, those of the image's right half mirrored. */
function addLines(
  lines: Float32Array,
  shares: Float32Array,
  level: number,
  way: number,
  mirror: number,
  features: Float32Array,
): void {
  for (let k = 0; k < lines.length; k++) {
    if (shares[k] === 0) continue;
    const strength = Math.abs(lines[k]!);
    const channel = 2 * (k % SIDE < SIDE / 2 ? way : mirror) + (lines[k]! > 0 ? 1 : 0);
    features[cellOf[k]! * CHANNELS + channel]! += (shares[k]! * strength) / (strength + HALF_SEEN * level);
  }
}

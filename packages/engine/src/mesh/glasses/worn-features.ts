import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { Atlas } from '../uv/atlas.ts';

/** Side of the atlas in which the decision looks for lines, texels. */
const SIDE = 256;
/** Rows of that atlas from the brows to the tip of the nose. */
const TOP_TEXELS = 60;
const CELL_ROWS = 11;
/** Columns from the midline of the face outwards. */
const CELL_COLUMNS = 7;
const CELL_HEIGHT_TEXELS = 8;
const CELL_WIDTH_TEXELS = 15;

/**
 * Ways in which a line is looked at, across it: x and y to either side, texels, and the number of
 * the way that is its mirror image.
 */
const WAYS = [
  { dx: 0, dy: 2, mirror: 0 },
  { dx: 2, dy: 0, mirror: 1 },
  { dx: 1.5, dy: 1.5, mirror: 3 },
  { dx: 1.5, dy: -1.5, mirror: 2 },
  { dx: 0, dy: 5, mirror: 4 },
  { dx: 5, dy: 0, mirror: 5 },
] as const;
/** Each way counts dark lines and bright ones apart. */
const CHANNELS = 2 * WAYS.length;

/** Numbers that `wornFeatures` gives. */
export const FEATURE_COUNT = CELL_ROWS * CELL_COLUMNS * CHANNELS;

/** Facing that a half of the face counts with at least: its sides never face the camera. */
const MIN_FACING = 0.02;

/**
 * Reads how much of dark and bright lines each cell of the band between brows and nose shows, 0..1,
 * as a share of the band's own contrast. Both halves of the face are one, the half that faces the
 * camera counting more.
 */
export function wornFeatures(atlas: Atlas, make: PlaneMaker): Float32Array {
  const luma = inSide(atlas.luma, atlas.side, make);
  const facing = inSide(atlas.facing, atlas.side, make);
  for (let i = 0; i < luma.length; i++) luma[i] = Math.log(luma[i]! + LUMA_NOISE_FLOOR);
  boxBlur(luma, SIDE, SIDE, 1, 1);
  const broad = make.copyOf(luma);
  boxBlur(broad, SIDE, SIDE, 2, 1);
  const features = new Float32Array(FEATURE_COUNT);
  const weights = new Float32Array(CELL_ROWS * CELL_COLUMNS);
  const lines = new Float32Array(SIDE * CELL_ROWS * CELL_HEIGHT_TEXELS);
  for (const [way, { dx, dy, mirror }] of WAYS.entries()) {
    const plane = Math.max(Math.abs(dx), Math.abs(dy)) > 2 ? broad : luma;
    const level = readLines(plane, facing, dx, dy, lines);
    addCells(lines, facing, level, way, mirror, features, way === 0 ? weights : null);
  }
  for (let cell = 0, at = 0; cell < weights.length; cell++)
    for (let k = 0; k < CHANNELS; k++, at++) features[at]! /= weights[cell]!;
  return features;
}

function inSide(plane: Float32Array, side: number, make: PlaneMaker): Float32Array {
  const out = make.uninitialised(SIDE * SIDE);
  if (side === SIDE) out.set(plane);
  else if (side > SIDE) shrinkSquare(plane, side, SIDE, out);
  else enlargeSquare(plane, side, SIDE / side, out);
  return out;
}

/**
 * Writes how much brighter (above 0) or darker each texel of the band is than what is on both sides
 * of it.
 * @returns the mean of that, without its sign
 */
function readLines(
  plane: Float32Array,
  facing: Float32Array,
  dx: number,
  dy: number,
  lines: Float32Array,
): number {
  const reachX = Math.round(dx);
  const offset = Math.round(dy) * SIDE + reachX;
  const from = middleFrom();
  let sum = 0;
  let count = 0;
  for (let y = 0, k = 0; y < CELL_ROWS * CELL_HEIGHT_TEXELS; y++) {
    const row = (TOP_TEXELS + y) * SIDE;
    for (let x = 0; x < SIDE; x++, k++) {
      if (x < from || x >= SIDE - from) continue;
      const i = row + x;
      // Outside of the mesh, which faces nobody, there are no lines.
      if (facing[i - offset] === 0 || facing[i + offset] === 0 || facing[i] === 0) {
        lines[k] = 0;
        continue;
      }
      const line = plane[i]! - 0.5 * (plane[i - offset]! + plane[i + offset]!);
      lines[k] = line;
      sum += Math.abs(line);
      count += 1;
    }
  }
  return count === 0 ? 1 : sum / count + 1e-4;
}

function middleFrom(): number {
  return SIDE / 2 - CELL_COLUMNS * CELL_WIDTH_TEXELS;
}

/** Adds lines of one way to the features, in shares of `level`, those of the image's right half mirrored. */
function addCells(
  lines: Float32Array,
  facing: Float32Array,
  level: number,
  way: number,
  mirror: number,
  features: Float32Array,
  weights: Float32Array | null,
): void {
  const half = SIDE / 2;
  for (let y = 0, k = 0; y < CELL_ROWS * CELL_HEIGHT_TEXELS; y++) {
    const row = (TOP_TEXELS + y) * SIDE;
    const cellRow = Math.floor(y / CELL_HEIGHT_TEXELS) * CELL_COLUMNS;
    for (let x = 0; x < SIDE; x++, k++) {
      const aside = x < half ? half - 1 - x : x - half;
      if (aside >= CELL_COLUMNS * CELL_WIDTH_TEXELS) continue;
      const cell = cellRow + Math.floor(aside / CELL_WIDTH_TEXELS);
      const weight = facing[row + x]! + MIN_FACING;
      const strength = Math.abs(lines[k]!);
      const channel = 2 * (x < half ? way : mirror) + (lines[k]! > 0 ? 1 : 0);
      features[cell * CHANNELS + channel]! += (weight * strength) / (strength + 2 * level);
      if (weights) weights[cell]! += weight;
    }
  }
}

import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import {
  addToCells,
  type LineArea,
  type LineCells,
  linesAcross,
} from '@guise/kernels/filter/lines-across.ts';
import { enlargeSquare, halvePlane } from '@guise/kernels/scale/plane-scale.ts';
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

/** Columns of texels from the midline of the face outwards. */
const HALF_WIDTH = CELL_COLUMNS * CELL_WIDTH_TEXELS;

/** Part of the band that shows the face. */
const FACE: LineArea = {
  width: SIDE,
  top: MARGIN_TEXELS,
  rows: BAND_ROWS,
  from: SIDE / 2 - HALF_WIDTH,
  to: SIDE / 2 + HALF_WIDTH,
};

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
  // Outside of the mesh, which faces nobody, there are no lines.
  for (let i = 0; i < facing.length; i++) if (facing[i] === 0) thin[i] = broad[i] = NaN;
  const halves = weighHalves(facing, make);
  const lines = make.uninitialised(thin.length);
  const features = make.floats(FEATURE_COUNT);
  for (const [way, { dx, dy, mirror }] of WAYS.entries()) {
    const plane = way < THIN_WAYS ? thin : broad;
    const mean = linesAcross(plane, FACE, dy * SIDE + dx, lines);
    const most = HALF_SEEN * (mean === null ? 1 : mean + FAINTEST);
    for (const half of halves)
      addToCells(lines, FACE, half, most, 2 * (half.isRight ? mirror : way), features);
  }
  return features.slice();
}

/** Copies the band, with its margins, in the size in which lines are looked for. */
function bandOf(plane: Float32Array, side: number, make: PlaneMaker): Float32Array {
  const first = TOP_TEXELS - MARGIN_TEXELS;
  const end = first + BAND_ROWS + 2 * MARGIN_TEXELS;
  if (side <= SIDE) {
    const count = SIDE * SIDE;
    const scaled = side === SIDE ? plane : enlargeSquare(plane, side, SIDE / side, make.uninitialised(count));
    return make.copyOf(scaled.subarray(SIDE * first, SIDE * end));
  }
  const factor = side / SIDE;
  let band = plane.subarray(side * factor * first, side * factor * end);
  for (let width = side; width > SIDE; width >>= 1)
    band = halvePlane(band, width, band.length / width, make.uninitialised(band.length >> 2));
  return band;
}

/** One half of a face, in cells from the midline outwards. */
interface Half extends LineCells {
  readonly isRight: boolean;
}

/** Gives each texel its share of its cell, by how much it faces the camera. */
function weighHalves(facing: Float32Array, make: PlaneMaker): Half[] {
  const sums = new Float32Array(CELL_ROWS * CELL_COLUMNS);
  const halves = [false, true].map((isRight): Half => {
    const shares = make.floats(HALF_WIDTH * BAND_ROWS);
    const start = isRight ? SIDE / 2 : SIDE / 2 - 1;
    const step = isRight ? 1 : -1;
    for (let y = 0, k = 0; y < BAND_ROWS; y++) {
      let i = (MARGIN_TEXELS + y) * SIDE + start;
      for (let cell = rowOfCells(y), end = cell + CELL_COLUMNS; cell < end; cell++)
        for (let x = 0; x < CELL_WIDTH_TEXELS; x++, k++, i += step) {
          const value = facing[i]!;
          if (value === 0) continue;
          shares[k] = value + MIN_FACING;
          sums[cell]! += shares[k]!;
        }
    }
    return {
      isRight,
      start,
      isLeftwards: !isRight,
      columns: CELL_COLUMNS,
      width: CELL_WIDTH_TEXELS,
      height: CELL_HEIGHT_TEXELS,
      shares,
      channels: CHANNELS,
    };
  });
  for (const { shares } of halves)
    for (let y = 0, k = 0; y < BAND_ROWS; y++)
      for (let cell = rowOfCells(y), end = cell + CELL_COLUMNS; cell < end; cell++)
        for (let x = 0; x < CELL_WIDTH_TEXELS; x++, k++) if (shares[k]! > 0) shares[k]! /= sums[cell]!;
  return halves;
}

/** Returns the number of the first cell that a row of texels lies in. */
function rowOfCells(y: number): number {
  return Math.floor(y / CELL_HEIGHT_TEXELS) * CELL_COLUMNS;
}

import { GRID_SIDE, MARK_BITS } from './carrier.ts';
import { mulberry32 } from './mulberry32.ts';
import { packPayload } from './payload.ts';

/**
 * The second carrier, a pattern of light and dark cells that does not depend on the picture (spread
 * spectrum, Cox and others, 1997). It is the same in every frame of a clip, so it cannot flicker;
 * and it is found in a part of a picture. It is public and fixed, as the first one.
 */
interface Pattern {
  /** Number of the bit that each cell of the grid holds; `MARK_BITS` more if it is turned over. */
  readonly bits: Uint16Array;
  /** Stripes, 1 or -1 for each column, by which the columns of a cropped picture are recognised. */
  readonly columns: Int8Array;
  /** Stripes for each row. */
  readonly rows: Int8Array;
}

/** Seed of the pattern's random numbers: "GUIS" in ASCII. */
const SEED = 0x47554953;

/** The pattern of all marks. */
export const PATTERN: Pattern = makePattern();

function makePattern(): Pattern {
  const random = mulberry32(SEED);
  const signs = (length: number): Int8Array => Int8Array.from({ length }, () => (random() < 0.5 ? -1 : 1));
  const bits = Uint16Array.from({ length: GRID_SIDE ** 2 }, () => Math.floor(MARK_BITS * random()));
  for (const [cell, sign] of signs(bits.length).entries()) if (sign < 0) bits[cell]! += MARK_BITS;
  return {
    bits,
    columns: signs(GRID_SIDE),
    rows: signs(GRID_SIDE),
  };
}

/**
 * Returns the pattern that holds an id, as a grid.
 * @param cells height of a cell, levels
 * @param stripes height of the stripes, levels
 */
export function patternOf(id: Uint8Array, cells: number, stripes: number): Float32Array {
  const { bits, columns, rows } = PATTERN;
  const levels = new Float32Array(2 * MARK_BITS);
  for (const [b, each] of packPayload(id).entries()) {
    levels[b] = each === 1 ? cells : -cells;
    levels[b + MARK_BITS] = -levels[b]!;
  }
  const grid = new Float32Array(GRID_SIDE ** 2);
  for (let y = 0, k = 0; y < GRID_SIDE; y++)
    for (let x = 0; x < GRID_SIDE; x++, k++) grid[k] = levels[bits[k]!]! + stripes * (columns[x]! + rows[y]!);
  return grid;
}

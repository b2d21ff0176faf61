import { mulberry32 } from './mulberry32.ts';

/**
 * Carrier of the watermark: which coefficients of the reduced luma hold which bit. It is public and
 * fixed, so that anybody can find a mark; a change makes all earlier marks unreadable.
 */

/** Side of the square to which a picture's luma is reduced, whatever its aspect is. */
export const GRID_SIDE = 256;
/** Side of the blocks whose cosine transform is marked. */
export const BLOCK_SIDE = 8;
/** Number of bits of a mark: three for each bit of an id of 48 bits and a checksum of 24. */
export const MARK_BITS = 216;

/**
 * Horizontal and vertical frequencies of the marked coefficients: the ten lowest without the mean,
 * in zigzag order. Higher ones do not survive when a picture is made smaller.
 */
export const FREQUENCIES = [
  [0, 1],
  [1, 0],
  [2, 0],
  [1, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [2, 1],
  [3, 0],
  [4, 0],
] as const;

/**
 * Distances of the lattice's points to choose from, in levels of a coefficient: the largest that is
 * not seen in a picture.
 */
export const STEPS = Array.from({ length: 24 }, (_, k) => 130 - 3.8 * k);

/** Number of marked coefficients, of all blocks. */
export const COEFFICIENTS = (GRID_SIDE / BLOCK_SIDE) ** 2 * FREQUENCIES.length;
/** Seed of the carrier's random numbers: "guis" in ASCII. */
const SEED = 0x67756973;

/** How each coefficient takes part, in the order of blocks and then of `FREQUENCIES`. */
export interface Carrier {
  /** Number of the bit that a coefficient holds. */
  readonly bit: Uint8Array;
  /** 1 or -1, by which a coefficient is multiplied. */
  readonly sign: Float64Array;
  /** Number of the coefficients of each bit. */
  readonly counts: Float64Array;
}

/** The carrier of all marks. */
export const CARRIER: Carrier = makeCarrier();

/** Shuffles the coefficients (Fisher and Yates) and deals them out to the bits. */
function makeCarrier(): Carrier {
  const random = mulberry32(SEED);
  const order = Int32Array.from({ length: COEFFICIENTS }, (_, k) => k);
  for (let k = COEFFICIENTS - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [order[k], order[other]] = [order[other]!, order[k]!];
  }
  const bit = new Uint8Array(COEFFICIENTS);
  const sign = new Float64Array(COEFFICIENTS);
  const counts = new Float64Array(MARK_BITS);
  for (const [k, coefficient] of order.entries()) {
    bit[coefficient] = k % MARK_BITS;
    counts[k % MARK_BITS]! += 1;
    sign[coefficient] = random() < 0.5 ? -1 : 1;
  }
  return { bit, sign, counts };
}

import { BLOCK_SIDE, CARRIER, COEFFICIENTS, FREQUENCIES, GRID_SIDE, MARK_BITS } from './carrier.ts';

/**
 * Distance of the lattice's points, in levels of a coefficient. A projection that lies a quarter of
 * it above a multiple means 1, a quarter below means 0.
 */
const STEP = 80;
/** Number of blocks in a row of the grid. */
const BLOCKS = GRID_SIDE / BLOCK_SIDE;

/** Waves of the orthonormal cosine transform (DCT-II), by frequency and place. */
const WAVES = Array.from({ length: 5 }, (_, frequency) =>
  Float64Array.from(
    { length: BLOCK_SIDE },
    (_, at) =>
      Math.sqrt((frequency === 0 ? 1 : 2) / BLOCK_SIDE) *
      Math.cos(((2 * at + 1) * frequency * Math.PI) / (2 * BLOCK_SIDE)),
  ),
);

/** Returns the projection of a grid on each bit's part of the carrier, of unit length. */
export function projectionsOf(grid: Float32Array): Float64Array {
  const { bit, sign, counts } = CARRIER;
  const sums = new Float64Array(MARK_BITS);
  const row = new Float64Array(WAVES.length * BLOCK_SIDE);
  for (let k = 0; k < COEFFICIENTS; k += FREQUENCIES.length) {
    const corner = cornerOf(k);
    for (let y = 0; y < BLOCK_SIDE; y++) {
      const start = corner + y * GRID_SIDE;
      for (const [frequency, wave] of WAVES.entries()) {
        let sum = 0;
        for (let x = 0; x < BLOCK_SIDE; x++) sum += wave[x]! * grid[start + x]!;
        row[frequency * BLOCK_SIDE + y] = sum;
      }
    }
    for (let c = 0; c < FREQUENCIES.length; c++) {
      const [u, v] = FREQUENCIES[c]!;
      const wave = WAVES[v]!;
      let sum = 0;
      for (let y = 0; y < BLOCK_SIDE; y++) sum += wave[y]! * row[u * BLOCK_SIDE + y]!;
      sums[bit[k + c]!]! += sign[k + c]! * sum;
    }
  }
  for (let b = 0; b < MARK_BITS; b++) sums[b]! /= Math.sqrt(counts[b]!);
  return sums;
}

/**
 * Returns a grid whose projections are these.
 * @param room of each sample of the grid: change goes to the blocks by its square, because encoders
 * flatten what is faint
 */
export function gridOf(projections: Float64Array, room: Float32Array): Float32Array {
  const { bit, sign, counts } = CARRIER;
  const roomOf = new Float64Array(BLOCKS ** 2);
  const roomOfBit = new Float64Array(MARK_BITS);
  for (let block = 0; block < BLOCKS ** 2; block++) {
    const corner = cornerOf(block * FREQUENCIES.length);
    for (let y = 0; y < BLOCK_SIDE; y++)
      for (let x = 0; x < BLOCK_SIDE; x++) roomOf[block]! += room[corner + y * GRID_SIDE + x]! ** 2;
    for (let c = 0; c < FREQUENCIES.length; c++)
      roomOfBit[bit[block * FREQUENCIES.length + c]!]! += roomOf[block]!;
  }
  const grid = new Float32Array(GRID_SIDE ** 2);
  for (let k = 0; k < COEFFICIENTS; k++) {
    const b = bit[k]!;
    const share = roomOf[Math.floor(k / FREQUENCIES.length)]! / roomOfBit[b]!;
    const value = sign[k]! * projections[b]! * Math.sqrt(counts[b]!) * share;
    const [u, v] = FREQUENCIES[k % FREQUENCIES.length]!;
    const corner = cornerOf(k);
    for (let y = 0; y < BLOCK_SIDE; y++) {
      const start = corner + y * GRID_SIDE;
      for (let x = 0; x < BLOCK_SIDE; x++) grid[start + x]! += value * WAVES[u]![x]! * WAVES[v]![y]!;
    }
  }
  return grid;
}

/** Returns the point nearest to a projection that means a bit. */
export function nearestPoint(projection: number, bit: number): number {
  const offset = bit === 1 ? STEP / 4 : -STEP / 4;
  return STEP * Math.round((projection - offset) / STEP) + offset;
}

/** Returns what a projection means, from -1 (certainly 0) to 1 (certainly 1). */
export function softBit(projection: number): number {
  return Math.sin((2 * Math.PI * projection) / STEP);
}

/** Returns the place in the grid of the block of a coefficient. */
function cornerOf(coefficient: number): number {
  const block = Math.floor(coefficient / FREQUENCIES.length);
  return BLOCK_SIDE * (Math.floor(block / BLOCKS) * GRID_SIDE + (block % BLOCKS));
}

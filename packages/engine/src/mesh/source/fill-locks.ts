import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';

/**
 * Share of strands between the innermost one of a row and the oval's edge over which all of it is
 * one lock; wrinkles beside the eye are lines, too, with bare skin beyond.
 */
const LOCK_SHARE: Ramp = { from: 0.25, to: 0.4 };
/** Box radius over which rows agree on that share, coarse texels: a lock hangs through many. */
const AGREEING_ROWS = 3;
/** Value from which a texel is a strand. */
const STRAND = 0.5;
/** Height in the atlas above which locks are filled: below, strands hang singly. */
const LOWEST_SHARE = 0.6;

/** Widest gap between two strands that is still hair, coarse texels. */
const WIDEST_GAP_TEXELS = 6;

/**
 * Makes one lock of the strands (0..1, coarse) on a side of the face, in place: fair hair is found
 * by its dark lines only, and what lies between them is hair as well, over the tail of a brow too.
 */
export function fillLocks(strands: Float32Array, { oval }: RegionMasks): void {
  for (const isRight of [false, true]) {
    const shares = strandShares(strands, oval, isRight);
    for (let y = 0; y < shares.length; y++) {
      const lock = ramp(LOCK_SHARE, shares[y]!);
      if (lock > 0) fillRow(strands, y, isRight, lock);
    }
  }
}

/** Shares of strands on one side, row by row, between the innermost one and the oval's edge. */
function strandShares(strands: Float32Array, oval: Float32Array, isRight: boolean): Float32Array {
  const shares = new Float32Array(Math.floor(LOWEST_SHARE * COARSE_SIDE));
  for (let y = 0; y < shares.length; y++) {
    let inside = 0;
    let hair = 0;
    for (let x = 0; x < COARSE_SIDE / 2; x++) {
      const i = texelAt(x, y, isRight);
      if (oval[i] === 0) continue;
      inside += 1;
      if (strands[i]! < STRAND) continue;
      hair += 1;
      shares[y] = hair / inside;
    }
  }
  boxBlur(shares, 1, shares.length, AGREEING_ROWS, 1);
  return shares;
}

function fillRow(strands: Float32Array, y: number, isRight: boolean, lock: number): void {
  let last = -Infinity;
  for (let x = 0; x < COARSE_SIDE / 2; x++) {
    if (strands[texelAt(x, y, isRight)]! < STRAND) continue;
    if (x - last - 1 <= WIDEST_GAP_TEXELS)
      for (let gap = last + 1; gap < x; gap++) {
        const i = texelAt(gap, y, isRight);
        if (lock > strands[i]!) strands[i] = lock;
      }
    last = x;
  }
}

/** @param x from the atlas's left edge, or from its right one */
function texelAt(x: number, y: number, isRight: boolean): number {
  return y * COARSE_SIDE + (isRight ? COARSE_SIDE - 1 - x : x);
}

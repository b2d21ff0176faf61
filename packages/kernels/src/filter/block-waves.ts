import {
  addBlockWaves as plainAddBlockWaves,
  type BlockWaves,
  toBlockWaves as plainToBlockWaves,
} from '../plain/block-waves.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve, reserveFor } from '../wasm/stage.ts';

export type { BlockWaves } from '../plain/block-waves.ts';

/**
 * Returns the coefficients of some waves of the orthonormal cosine transform (DCT-II), for each
 * block of a square grid in turn.
 * @param gridSide a multiple of 8
 */
export function toBlockWaves(grid: Float32Array, gridSide: number, wanted: BlockWaves): Float32Array {
  const coefficients = new Float32Array(((gridSide / wanted.side) ** 2 * wanted.frequencies.length) / 2);
  if (!fitsStage(grid.byteLength + coefficients.byteLength)) {
    plainToBlockWaves(grid, gridSide, wanted, coefficients);
    return coefficients;
  }
  const out = reserveFor(coefficients);
  kernels().toBlockWaves(copyIn(grid), gridSide, ...wavesOf(wanted), out);
  copyOut(coefficients, out);
  return coefficients;
}

/**
 * Adds waves that have these coefficients to a square grid, in place.
 * @param room largest size of each sample; what is beyond is cut off
 * @param gridSide a multiple of 8
 */
export function addBlockWaves(
  grid: Float32Array,
  room: Float32Array,
  coefficients: Float32Array,
  gridSide: number,
  wanted: BlockWaves,
): void {
  if (!fitsStage(2 * grid.byteLength + coefficients.byteLength)) {
    plainAddBlockWaves(grid, room, coefficients, gridSide, wanted);
    return;
  }
  const at = copyIn(grid);
  kernels().addBlockWaves(copyIn(coefficients), gridSide, ...wavesOf(wanted), at, copyIn(room));
  copyOut(grid, at);
}

/** Returns the kernels' arguments: waves and their number, frequencies and their number, room. */
function wavesOf({ side, waves, frequencies }: BlockWaves): [number, number, number, number, number] {
  return [
    copyIn(waves),
    waves.length / side,
    copyIn(frequencies),
    frequencies.length / 2,
    reserve(waves.byteLength),
  ];
}

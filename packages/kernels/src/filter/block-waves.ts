import {
  type BlockWaves,
  fromBlockWaves as plainFromBlockWaves,
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

/** Returns the square grid that has these coefficients, and no other waves. */
export function fromBlockWaves(
  coefficients: Float32Array,
  gridSide: number,
  wanted: BlockWaves,
): Float32Array {
  const grid = new Float32Array(gridSide * gridSide);
  if (!fitsStage(grid.byteLength + coefficients.byteLength)) {
    plainFromBlockWaves(coefficients, gridSide, wanted, grid);
    return grid;
  }
  const out = reserveFor(grid);
  kernels().fromBlockWaves(copyIn(coefficients), gridSide, ...wavesOf(wanted), out);
  copyOut(grid, out);
  return grid;
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

import { readFileSync } from 'node:fs';
import { kernelMemory } from './memory.ts';

/**
 * Names of the kernels that assembly/index.ts exports and describes. Arrays are addresses in the
 * kernels' memory. Only tests find a call with the wrong number of arguments, so each kernel is
 * called from one wrapper.
 */
export type KernelName =
  | 'addBlockWaves'
  | 'addEnlarged'
  | 'addGrid'
  | 'addLevels'
  | 'addRgbDifference'
  | 'addToCells'
  | 'averageAlong'
  | 'blockSums'
  | 'boxBlur'
  | 'clearRuns'
  | 'copy'
  | 'coverTriangles'
  | 'drawTriangles'
  | 'enlargeSquare'
  | 'extremes'
  | 'faceOpacity'
  | 'fadeEdge'
  | 'halveImage'
  | 'halvePlane'
  | 'hideBehind'
  | 'keepInRange'
  | 'linesAcross'
  | 'masked'
  | 'matte'
  | 'maxInPlace'
  | 'mixBands'
  | 'mixEnlarged'
  | 'mixMirrored'
  | 'normalisedBlur'
  | 'packTexture'
  | 'paintChroma'
  | 'paintLuma'
  | 'placeFace'
  | 'pull'
  | 'pullWeight'
  | 'push'
  | 'reduceLuma'
  | 'reduceToGrid'
  | 'reduceYuv'
  | 'registerPoints'
  | 'relight'
  | 'relightTexture'
  | 'roomOf'
  | 'sharpen'
  | 'splitBand'
  | 'spreadTexels'
  | 'spreadTriangles'
  | 'sumOf'
  | 'toBlockWaves'
  | 'warpToPlanes'
  | 'yuvToRgb';

export type Kernels = Readonly<Record<KernelName, (...numbers: number[]) => number>>;

let loaded: Kernels | null = null;

/** Returns the compiled kernels of this thread, which are loaded on first use. */
export function kernels(): Kernels {
  if (loaded === null) {
    const bytes = readFileSync(new URL('../../built/kernels.wasm', import.meta.url));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
      env: { memory: kernelMemory() },
    });
    loaded = instance.exports as unknown as Kernels;
  }
  return loaded;
}

import { readFileSync } from 'node:fs';
import { kernelMemory } from './memory.ts';

/**
 * What assembly/index.ts exports, described there. Arrays are addresses in the kernels' memory; a
 * count of numbers that the kernel does not take is a mistake that only tests find, so each is
 * called from one wrapper.
 */
export type KernelName =
  | 'addEnlarged'
  | 'addRgbDifference'
  | 'boxBlur'
  | 'copy'
  | 'coverTriangles'
  | 'drawTriangles'
  | 'dullGlints'
  | 'enlargeSquare'
  | 'faceOpacity'
  | 'fadeEdge'
  | 'halveImage'
  | 'halvePlane'
  | 'hideBehind'
  | 'holdBelow'
  | 'keepInRange'
  | 'masked'
  | 'matte'
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
  | 'reduceYuv'
  | 'registerPoints'
  | 'relight'
  | 'relightTexture'
  | 'sharpen'
  | 'splitBand'
  | 'spreadTexels'
  | 'spreadTriangles'
  | 'sumOf'
  | 'warpToPlanes'
  | 'yuvToRgb';

export type Kernels = Readonly<Record<KernelName, (...numbers: number[]) => number>>;

let loaded: Kernels | null = null;

/** The compiled kernels of this thread, loaded on first use. */
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

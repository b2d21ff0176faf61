import { addLevels as plainAddLevels } from '../plain/add-levels.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyInRegion, copyOutRegion, fitsStage, strideOf } from '../wasm/stage.ts';

/** Adds a level to each sample of a plane. Samples stay from 0 to 255. @param levels row by row */
export function addLevels(
  samples: Uint8Array,
  stride: number,
  levels: Int8Array,
  width: number,
  height: number,
): void {
  if (!fitsStage(2 * width * height)) {
    plainAddLevels(samples, stride, levels, width, height);
    return;
  }
  const at = copyInRegion(samples, stride, 0, 0, width, height);
  const from = copyIn(new Uint8Array(levels.buffer, levels.byteOffset, levels.length));
  kernels().addLevels(at, strideOf(samples, stride, width), from, width, height);
  copyOutRegion(samples, stride, 0, 0, width, height, at);
}

import type { RgbImage } from '../image.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserveFor } from '../wasm/stage.ts';
import { ordinaryPlanes, type PlaneMaker } from '../workspace.ts';

/** Size of the strips of rows on the stage. Strips of this size stay in the cache for any image. */
const STRIP_BYTES = 1 << 18;

/**
 * Makes an image of `floor(width / 2)` x `floor(height / 2)`. Each pixel is the rounded mean of a 2
 * x 2 block.
 */
export function halveImage(image: RgbImage, make: PlaneMaker = ordinaryPlanes): RgbImage {
  const width = image.width >> 1;
  const height = image.height >> 1;
  const data = make.uninitialisedBytes(width * height * 3);
  const pairBytes = 2 * image.width * 3;
  const rowBytes = width * 3;
  const stripRows = Math.max(1, Math.floor(STRIP_BYTES / pairBytes));
  for (let y = 0; y < height; y += stripRows) {
    const rows = Math.min(stripRows, height - y);
    const from = image.data.subarray(y * pairBytes, (y + rows) * pairBytes);
    const to = data.subarray(y * rowBytes, (y + rows) * rowBytes);
    fitsStage(from.length + to.length);
    const out = reserveFor(to);
    kernels().halveImage(copyIn(from), out, image.width, rows);
    copyOut(to, out);
  }
  return { data, width, height };
}

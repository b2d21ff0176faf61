import { FLOOR, normalisedBlur as plainNormalisedBlur } from '../plain/normalised-blur.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve } from '../wasm/stage.ts';

/**
 * Blurs planes in place, counting each sample by its weight: `blur(plane * weight) / blur(weight)`
 * (normalised convolution: Knutsson and Westin, 1993). Far from any weight the value tends to the
 * weighted mean of the plane, so holes are filled and never dark. `weight` is kept.
 */
export function normalisedBlur(
  planes: readonly Float32Array[],
  weight: Float32Array,
  width: number,
  height: number,
  radius: number,
): void {
  const planeBytes = weight.byteLength;
  const lineBytes = 4 * (width + 2 * radius + 8);
  if (radius < 1 || planeBytes === 0 || !fitsStage((3 + planes.length) * planeBytes + lineBytes)) {
    plainNormalisedBlur(planes, weight, width, height, radius);
    return;
  }
  const { boxBlur, copy, normalisedBlur, sumOf } = kernels();
  const weights = copyIn(weight);
  const spread = reserve(planeBytes);
  const scratch = reserve(planeBytes);
  const lines = reserve(lineBytes);
  copy(spread, weights, planeBytes);
  boxBlur(spread, scratch, lines, width, height, radius, 3);
  const total = sumOf(weights, weight.length);
  for (const plane of planes) {
    const at = copyIn(plane);
    normalisedBlur(at, weights, spread, scratch, lines, width, height, radius, total, FLOOR);
    copyOut(plane, at);
  }
}

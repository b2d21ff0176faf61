import { kernels } from './kernels.ts';
import { FLOOR, normalisedBlur as plainNormalisedBlur } from './plain/normalised-blur.ts';
import { fetch, fitsStage, lend, room } from './stage.ts';

/**
 * Blur of planes that counts each sample by its weight (normalised convolution: Knutsson and Westin, 1993), in place:
 * `blur(plane * weight) / blur(weight)`. Where no weight is near, the value tends to the weighted mean of the plane, so
 * holes are bridged and never dark. `weight` is kept.
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
  const weights = lend(weight);
  const spread = room(planeBytes);
  const scratch = room(planeBytes);
  const lines = room(lineBytes);
  copy(spread, weights, planeBytes);
  boxBlur(spread, scratch, lines, width, height, radius, 3);
  const total = sumOf(weights, weight.length);
  for (const plane of planes) {
    const at = lend(plane);
    normalisedBlur(at, weights, spread, scratch, lines, width, height, radius, total, FLOOR);
    fetch(plane, at);
  }
}

import { boxBlur } from './box-blur.ts';

/**
 * Blurs planes in place, counting each sample by its weight: `blur(plane * weight) / blur(weight)`
 * (normalised convolution: Knutsson and Westin, 1993). Far from any weight the value tends to the
 * weighted mean of the plane, so holes are filled and never dark. `weight` is not changed.
 */
export function normalisedBlur(
  planes: readonly Float32Array[],
  weight: Float32Array,
  width: number,
  height: number,
  radius: number,
): void {
  const scratch = new Float32Array(width * height);
  const spread = weight.slice();
  let total = 0;
  for (let i = 0; i < weight.length; i++) total += weight[i]!;
  boxBlur(spread, width, height, radius, 3, scratch);
  for (const plane of planes) {
    let sum = 0;
    for (let i = 0; i < plane.length; i++) {
      const weighted = plane[i]! * weight[i]!;
      plane[i] = weighted;
      sum += weighted;
    }
    const mean = total > 0 ? sum / total : 0;
    boxBlur(plane, width, height, radius, 3, scratch);
    for (let i = 0; i < plane.length; i++) plane[i] = (plane[i]! + mean * FLOOR) / (spread[i]! + FLOOR);
  }
}

/** Weight of the plane's mean, which only matters where almost no weight is near. */
export const FLOOR = 1e-4;

import { enlargeSquare } from './plane-scale.ts';

/**
 * Fills holes of square planes (side a power of two) smoothly, in place. Where `weight` (0..1) is
 * below 1, the value is mixed with weighted averages of coarser and coarser levels (pull, then
 * push: Gortler et al., The Lumigraph, 1996).
 */
export function pushPull(planes: readonly Float32Array[], weight: Float32Array, side: number): void {
  if (side <= 2) return;
  const half = side >> 1;
  const coarseWeight = new Float32Array(half * half);
  const sums = new Float32Array(half * half);
  for (let y = 0, o = 0; y < side; y += 2) {
    for (let x = 0; x < side; x += 2, o++) {
      const i = y * side + x;
      const sum = weight[i]! + weight[i + 1]! + weight[i + side]! + weight[i + side + 1]!;
      sums[o] = sum;
      coarseWeight[o] = sum < 1 ? sum : 1;
    }
  }
  const coarse = planes.map((plane) => {
    const out = new Float32Array(half * half);
    for (let y = 0, o = 0; y < side; y += 2) {
      for (let x = 0; x < side; x += 2, o++) {
        const i = y * side + x;
        if (sums[o]! <= 0) continue;
        out[o] =
          (plane[i]! * weight[i]! +
            plane[i + 1]! * weight[i + 1]! +
            plane[i + side]! * weight[i + side]! +
            plane[i + side + 1]! * weight[i + side + 1]!) /
          sums[o]!;
      }
    }
    return out;
  });
  pushPull(coarse, coarseWeight, half);
  for (const [k, plane] of planes.entries()) {
    const smooth = enlargeSquare(coarse[k]!, half, 2);
    for (let i = 0; i < plane.length; i++) plane[i] = smooth[i]! + (plane[i]! - smooth[i]!) * weight[i]!;
  }
}

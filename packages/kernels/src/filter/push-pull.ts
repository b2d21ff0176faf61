import { pushPull as plainPushPull } from '../plain/push-pull.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve } from '../wasm/stage.ts';

/**
 * Fills holes of square planes (side a power of two) smoothly, in place. Where `weight` (0..1) is
 * below 1, the value is mixed with weighted averages of coarser and coarser levels (pull, then
 * push: Gortler et al., The Lumigraph, 1996).
 */
export function pushPull(planes: readonly Float32Array[], weight: Float32Array, side: number): void {
  // Needs room for the planes, a third of each in coarser levels, and one enlarged plane.
  if (!fitsStage(weight.byteLength * (3 * planes.length + 3) + 4 * side)) {
    plainPushPull(planes, weight, side);
    return;
  }
  const addresses = planes.map(copyIn);
  fill(addresses, copyIn(weight), side);
  for (const [k, plane] of planes.entries()) copyOut(plane, addresses[k]!);
}

function fill(planes: readonly number[], weight: number, side: number): void {
  if (side <= 2) return;
  const { enlargeSquare, pull, pullWeight, push } = kernels();
  const half = side >> 1;
  const coarseBytes = 4 * half * half;
  const sums = reserve(coarseBytes);
  const coarseWeight = reserve(coarseBytes);
  pullWeight(weight, sums, coarseWeight, side);
  const coarse = planes.map((plane) => {
    const out = reserve(coarseBytes);
    pull(plane, weight, sums, out, side);
    return out;
  });
  fill(coarse, coarseWeight, half);
  const smooth = reserve(4 * coarseBytes);
  const line = reserve(4 * (half + 8));
  for (const [k, plane] of planes.entries()) {
    enlargeSquare(coarse[k]!, smooth, line, half, 2);
    push(plane, weight, smooth, side * side);
  }
}

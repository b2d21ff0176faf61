import { boxBlur as plainBoxBlur } from '../plain/box-blur.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve } from '../wasm/stage.ts';

export { boxRadius } from '../plain/box-blur.ts';

/**
 * Blurs one float plane in place by repeated box blurs. The edge sample is repeated beyond the
 * borders, and radius 0 changes nothing. Three passes are within 3 % of a Gaussian of `sigma =
 * sqrt(passes * (2 radius + 1)^2 / 12 - passes / 12)`.
 */
export function boxBlur(
  plane: Float32Array,
  width: number,
  height: number,
  radius: number,
  passes = 3,
): void {
  if (radius < 1 || plane.length === 0) return;
  const lineBytes = 4 * (width + 2 * radius + 8);
  if (!fitsStage(8 * plane.length + lineBytes)) {
    plainBoxBlur(plane, width, height, radius, passes);
    return;
  }
  const at = copyIn(plane);
  const other = reserve(plane.byteLength);
  kernels().boxBlur(at, other, reserve(lineBytes), width, height, radius, passes);
  copyOut(plane, at);
}

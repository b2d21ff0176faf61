import type { Affine } from './affine.ts';
import type { ImagePyramid } from './pyramid.ts';

/** How 8-bit samples become a network's input: `value * scale + offset`, one offset per plane. */
export interface PlaneFormat {
  readonly scale: number;
  /** In the order of the planes. */
  readonly offset: readonly [number, number, number];
  readonly order: 'rgb' | 'bgr';
  /** What lies outside the image: black, or the nearest pixel of its border. */
  readonly outside: 'black' | 'border';
}

/**
 * A level coarser than the crop by up to this factor would blur, one finer than it would alias: bilinear sampling
 * stays clean up to about here.
 */
const COARSEST_STEP = 1.7;

/** How often an image must be halved before sampling it at `step` source pixels per output pixel. */
export function levelForStep(step: number): number {
  let number = 0;
  while (step >= COARSEST_STEP) {
    step /= 2;
    number += 1;
  }
  return number;
}

/**
 * Samples a `width` x `height` crop of the image into `out` as three float planes (channel, row, column).
 *
 * `toImage` takes crop coordinates to image coordinates (both in pixels, edge based). Bilinear on the pyramid level
 * that suits the scale. Writes `3 * width * height` values in place; allocates only pyramid levels.
 */
export function warpToPlanes(
  pyramid: ImagePyramid,
  toImage: Affine,
  width: number,
  height: number,
  format: PlaneFormat,
  out: Float32Array,
): void {
  const step = Math.sqrt(Math.abs(toImage[0] * toImage[4] - toImage[1] * toImage[3]));
  const { image, number } = pyramid.level(levelForStep(step));
  const shrink = 1 / (1 << number);
  const xPerColumn = toImage[0] * shrink;
  const xPerRow = toImage[1] * shrink;
  const yPerColumn = toImage[3] * shrink;
  const yPerRow = toImage[4] * shrink;
  // From centre to centre: half an output pixel in, half a source pixel out.
  const xStart = toImage[2] * shrink + 0.5 * (xPerColumn + xPerRow) - 0.5;
  const yStart = toImage[5] * shrink + 0.5 * (yPerColumn + yPerRow) - 0.5;

  const from = image.data;
  const stride = image.width * 3;
  const lastX = image.width - 1;
  const lastY = image.height - 1;
  const plane = width * height;
  const redPlane = format.order === 'rgb' ? 0 : 2 * plane;
  const bluePlane = 2 * plane - redPlane;
  const scale = format.scale;
  const margin = format.outside === 'black' ? 0.5 : Infinity;
  const redOffset = format.offset[format.order === 'rgb' ? 0 : 2];
  const greenOffset = format.offset[1];
  const blueOffset = format.offset[format.order === 'rgb' ? 2 : 0];

  for (let row = 0, at = 0; row < height; row++) {
    let x = xPerRow * row + xStart;
    let y = yPerRow * row + yStart;
    for (let column = 0; column < width; column++, at++, x += xPerColumn, y += yPerColumn) {
      if (x < -margin || y < -margin || x > lastX + margin || y > lastY + margin) {
        out[redPlane + at] = redOffset;
        out[plane + at] = greenOffset;
        out[bluePlane + at] = blueOffset;
        continue;
      }
      const insideX = x < 0 ? 0 : x > lastX ? lastX : x;
      const insideY = y < 0 ? 0 : y > lastY ? lastY : y;
      const left = insideX | 0;
      const top = insideY | 0;
      const fx = insideX - left;
      const fy = insideY - top;
      const topLeft = top * stride + left * 3;
      const topRight = left < lastX ? topLeft + 3 : topLeft;
      const below = top < lastY ? stride : 0;
      const bottomLeft = topLeft + below;
      const bottomRight = topRight + below;
      const w00 = (1 - fx) * (1 - fy);
      const w10 = fx * (1 - fy);
      const w01 = (1 - fx) * fy;
      const w11 = fx * fy;
      out[redPlane + at] =
        (from[topLeft]! * w00 + from[topRight]! * w10 + from[bottomLeft]! * w01 + from[bottomRight]! * w11) *
          scale +
        redOffset;
      out[plane + at] =
        (from[topLeft + 1]! * w00 +
          from[topRight + 1]! * w10 +
          from[bottomLeft + 1]! * w01 +
          from[bottomRight + 1]! * w11) *
          scale +
        greenOffset;
      out[bluePlane + at] =
        (from[topLeft + 2]! * w00 +
          from[topRight + 2]! * w10 +
          from[bottomLeft + 2]! * w01 +
          from[bottomRight + 2]! * w11) *
          scale +
        blueOffset;
    }
  }
}

import type { Affine } from '../affine.ts';
import type { RgbImage } from '../image.ts';

/**
 * Conversion of 8-bit samples to a network's input: `value * scale + offset`, with one offset per
 * plane.
 */
export interface PlaneFormat {
  readonly scale: number;
  /** Offsets in the order of the planes. */
  readonly offset: readonly [number, number, number];
  readonly order: 'rgb' | 'bgr';
  /** Values outside the image: black, or the nearest pixel of its border. */
  readonly outside: 'black' | 'border';
}

/**
 * Samples a crop of one image bilinearly. This is the reference version of the kernel in
 * ../scale/warp.ts.
 */
export function warpImage(
  image: RgbImage,
  toImage: Affine,
  width: number,
  height: number,
  format: PlaneFormat,
  out: Float32Array,
): void {
  const [xPerColumn, xPerRow, xShift, yPerColumn, yPerRow, yShift] = toImage;
  // Converts from edge-based to centre-based coordinates, by half a pixel in output and source.
  const xStart = xShift + 0.5 * (xPerColumn + xPerRow) - 0.5;
  const yStart = yShift + 0.5 * (yPerColumn + yPerRow) - 0.5;
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

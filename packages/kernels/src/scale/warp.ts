import type { Affine } from '../affine.ts';
import { cropImage, type PixelBox } from '../crop-image.ts';
import type { RgbImage } from '../image.ts';
import { type PlaneFormat, warpImage as plainWarpImage } from '../plain/warp-to-planes.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyInRegion, copyOut, fitsStage, reserveFor, strideOf } from '../wasm/stage.ts';
import { Workspace } from '../workspace.ts';
import { ImagePyramid } from './pyramid.ts';

export type { PlaneFormat } from '../plain/warp-to-planes.ts';

/**
 * Number of source pixels per output pixel up to which a level is used. Up to about here bilinear
 * sampling is free of aliasing, and the next coarser level would blur.
 */
const COARSEST_STEP = 1.7;

/**
 * Returns how often an image must be halved before it is sampled at `step` source pixels per output
 * pixel.
 */
export function levelForStep(step: number): number {
  let number = 0;
  while (step >= COARSEST_STEP) {
    step /= 2;
    number += 1;
  }
  return number;
}

/**
 * Samples a `width` x `height` crop of the image into `out` as three float planes (channel, row,
 * column), bilinearly on the pyramid level that suits the scale. Allocates pyramid levels only.
 *
 * @param toImage maps crop coordinates to image coordinates, both in pixels and edge based
 * @param out `3 * width * height` values, all written
 */
export function warpToPlanes(
  pyramid: ImagePyramid,
  toImage: Affine,
  width: number,
  height: number,
  format: PlaneFormat,
  out: Float32Array,
): void {
  const { image, number } = pyramid.level(levelOf(toImage));
  const shrink = 1 / (1 << number);
  const [a, b, c, d, e, f] = toImage;
  const toLevel: Affine = [a * shrink, b * shrink, c * shrink, d * shrink, e * shrink, f * shrink];
  warpImage(image, toLevel, width, height, format, out);
}

/**
 * Samples a crop like `warpToPlanes`, for an image that is read once. Only the part that the crop
 * shows is reduced.
 */
export function warpPartToPlanes(
  image: RgbImage,
  toImage: Affine,
  width: number,
  height: number,
  format: PlaneFormat,
  out: Float32Array,
): void {
  const box = sampledBox(toImage, width, height, image);
  // The box starts on this grid, so that pixels of its level lie where those of the whole image
  // would.
  const grid = 1 << levelOf(toImage);
  const x = Math.max(0, Math.floor(box.x / grid) - 1) * grid;
  const y = Math.max(0, Math.floor(box.y / grid) - 1) * grid;
  const right = Math.min(image.width, box.x + box.width + 2 * grid);
  const bottom = Math.min(image.height, box.y + box.height + 2 * grid);
  using space = new Workspace();
  const part = cropImage(image, { x, y, width: right - x, height: bottom - y }, space);
  const [a, b, c, d, e, f] = toImage;
  const toPart: Affine = [a, b, c - x, d, e, f - y];
  warpToPlanes(new ImagePyramid(part, space), toPart, width, height, format, out);
}

/** Returns the pyramid level that suits a crop. */
function levelOf(toImage: Affine): number {
  return levelForStep(Math.sqrt(Math.abs(toImage[0] * toImage[4] - toImage[1] * toImage[3])));
}

/** Samples a crop of one image bilinearly. */
export function warpImage(
  image: RgbImage,
  toImage: Affine,
  width: number,
  height: number,
  format: PlaneFormat,
  out: Float32Array,
): void {
  const box = sampledBox(toImage, width, height, image);
  if (!fitsStage(box.width * box.height * 3 + out.byteLength)) {
    plainWarpImage(image, toImage, width, height, format, out);
    return;
  }
  const [xPerColumn, xPerRow, xShift, yPerColumn, yPerRow, yShift] = toImage;
  const stride = image.width * 3;
  const planes = reserveFor(out);
  const isReversed = format.order === 'bgr';
  kernels().warpToPlanes(
    copyInRegion(image.data, stride, box.x * 3, box.y, box.width * 3, box.height),
    strideOf(image.data, stride, box.width * 3),
    box.width,
    box.height,
    // Converts from edge-based to centre-based coordinates, by half a pixel in output and source.
    xShift + 0.5 * (xPerColumn + xPerRow) - 0.5 - box.x,
    yShift + 0.5 * (yPerColumn + yPerRow) - 0.5 - box.y,
    xPerColumn,
    yPerColumn,
    xPerRow,
    yPerRow,
    format.outside === 'black' ? 0.5 : Infinity,
    width,
    height,
    format.scale,
    format.offset[isReversed ? 2 : 0],
    format.offset[1],
    format.offset[isReversed ? 0 : 2],
    isReversed ? 1 : 0,
    planes,
  );
  copyOut(out, planes);
}

/**
 * Returns the box of the image's pixels that a crop mixes, with at least one pixel. If the crop
 * reaches the image's border, so does the box.
 */
function sampledBox([a, b, c, d, e, f]: Affine, width: number, height: number, image: RgbImage): PixelBox {
  const left = held(c + Math.min(0, a * width) + Math.min(0, b * height) - 1, image.width - 1);
  const right = held(c + Math.max(0, a * width) + Math.max(0, b * height) + 1, image.width - 1);
  const top = held(f + Math.min(0, d * width) + Math.min(0, e * height) - 1, image.height - 1);
  const bottom = held(f + Math.max(0, d * width) + Math.max(0, e * height) + 1, image.height - 1);
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function held(value: number, last: number): number {
  return Math.max(0, Math.min(last, Math.floor(value)));
}

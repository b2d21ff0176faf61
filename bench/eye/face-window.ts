import type { Face } from '@guise/engine/face/geometry/face.ts';
import { largestFace } from '@guise/engine/face/detect/largest-face.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import sharp from 'sharp';
import { toSharp } from '../../scripts/read-rgb.ts';

/**
 * A square part of a picture. It is given as shares of the picture's width and height, so that it
 * fits copies of any size.
 */
export interface FaceWindow {
  readonly x: number;
  readonly y: number;
  /** Share of the width. */
  readonly side: number;
}

type Point = readonly [x: number, y: number];

/** Neutral grey, for the area around panels and outside of pictures. */
export const BACKGROUND = '#808080';

/**
 * Finds the face nearest to a point, which is given as shares of the picture's sides. Without a
 * point, finds the largest face.
 */
export function chooseFace(
  faces: readonly Face[],
  { width, height }: RgbImage,
  at: Point | undefined,
): Face | undefined {
  if (at === undefined) return largestFace(faces);
  const away = ({ box }: Face): number =>
    Math.hypot(box.x + box.width / 2 - at[0] * width, box.y + box.height / 2 - at[1] * height);
  return [...faces].sort((one, other) => away(one) - away(other))[0];
}

/** Returns the face whose centre is nearest to that of another, unless it is another face. */
export function nearestFace(faces: readonly Face[], { box }: Face): Face | undefined {
  const away = (face: Face): number =>
    Math.hypot(
      face.box.x + face.box.width / 2 - box.x - box.width / 2,
      face.box.y + face.box.height / 2 - box.y - box.height / 2,
    );
  const [first] = faces.toSorted((a, b) => away(a) - away(b));
  return first && away(first) < box.width / 2 ? first : undefined;
}

/** Returns a window around a face. `surroundings`: its side, as a multiple of the face's length. */
export function windowAround({ box }: Face, { width, height }: RgbImage, surroundings: number): FaceWindow {
  return {
    x: (box.x + box.width / 2) / width,
    y: (box.y + box.height / 2) / height,
    side: (surroundings * Math.max(box.width, box.height)) / width,
  };
}

/**
 * Crops a window to a square PNG of `sidePx` pixels. The area outside of the picture is grey.
 */
export async function cutWindow(image: RgbImage, window: FaceWindow, sidePx: number): Promise<Buffer> {
  const side = Math.round(window.side * image.width);
  const fromX = Math.round(window.x * image.width - side / 2);
  const fromY = Math.round(window.y * image.height - side / 2);
  const left = Math.max(0, fromX);
  const top = Math.max(0, fromY);
  const right = Math.min(image.width, fromX + side);
  const bottom = Math.min(image.height, fromY + side);
  const square = await toSharp(image)
    .extract({ left, top, width: right - left, height: bottom - top })
    .extend({
      left: left - fromX,
      top: top - fromY,
      right: fromX + side - right,
      bottom: fromY + side - bottom,
      background: BACKGROUND,
    })
    .png()
    .toBuffer();
  return sharp(square).resize(sidePx, sidePx).png().toBuffer();
}

import { type Affine, applyAffine, chainAffine } from '@guise/kernels/affine.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { warpToPlanes } from '@guise/kernels/scale/warp.ts';
import { type Box, boxOfPoints } from '../face/geometry/box.ts';
import type { Normalisation } from './protocols.ts';
import { cropToImage, type TemplateName } from './templates.ts';

/** Levels of a colour, as they come from the picture. */
const LEVELS = { scale: 1, offset: [0, 0, 0], order: 'rgb', outside: 'border' } as const;
/** Level of white. */
export const WHITE = 255;

/** An aligned square part of a picture. */
export interface FaceCrop {
  /** Maps the crop to the picture, both edge based. */
  readonly toImage: Affine;
  /** Side, pixels. */
  readonly side: number;
  /** Red, green and blue planes, 0..255. */
  readonly levels: Float32Array;
}

/** A crop, and what a network made of it. */
export interface ChangedCrop extends FaceCrop {
  /** Planes like `levels`, after the network. */
  readonly changed: Float32Array;
}

/**
 * Cuts the part of a picture that a network was trained on.
 * @param side that the network takes @param factor by which the crop is larger
 */
export function cropFace(
  pyramid: ImagePyramid,
  landmarks: Float32Array,
  template: TemplateName,
  side: number,
  factor = 1,
): FaceCrop {
  const shrink: Affine = [1 / factor, 0, 0, 0, 1 / factor, 0];
  const toImage = chainAffine(cropToImage(template, side, landmarks), shrink);
  const levels = new Float32Array(3 * (side * factor) ** 2);
  warpToPlanes(pyramid, toImage, side * factor, side * factor, LEVELS, levels);
  return { toImage, side: side * factor, levels };
}

/** Returns the box around a crop in the picture. */
export function boxOfCrop(
  { side, template }: { readonly side: number; readonly template: TemplateName },
  landmarks: Float32Array,
): Box {
  const map = cropToImage(template, side, landmarks);
  const corners = new Float32Array(4 * 3);
  for (let k = 0; k < 4; k++) corners.set(applyAffine(map, k % 2 ? side : 0, k < 2 ? 0 : side), 3 * k);
  return boxOfPoints(corners, 4);
}

/** Converts planes of levels to the values that a network takes. Returns new planes. */
export function normalised(levels: Float32Array, { mean, deviation }: Normalisation): Float32Array {
  const plane = levels.length / 3;
  const values = new Float32Array(levels.length);
  for (let c = 0; c < 3; c++)
    for (let i = c * plane; i < (c + 1) * plane; i++)
      values[i] = (levels[i]! / WHITE - mean[c]!) / deviation[c]!;
  return values;
}

/** Converts a network's output to levels, 0..255, in place. */
export function toLevels(values: Float32Array, { mean, deviation }: Normalisation): Float32Array {
  const plane = values.length / 3;
  for (let c = 0; c < 3; c++)
    for (let i = c * plane; i < (c + 1) * plane; i++) {
      const level = WHITE * (values[i]! * deviation[c]! + mean[c]!);
      // A broken network may give numbers that are none, which change nothing visible as black.
      values[i] = level > 0 ? Math.min(WHITE, level) : 0;
    }
  return values;
}

/**
 * Cuts planes of `factor * side` into `factor`^2 pictures of `side`: picture (p, q) has every
 * `factor`th pixel from column p and row q on.
 */
export function splitPhases(planes: Float32Array, side: number, factor: number): Float32Array[] {
  if (factor === 1) return [planes];
  const phases: Float32Array[] = [];
  for (let q = 0; q < factor; q++)
    for (let p = 0; p < factor; p++) {
      const phase = new Float32Array(3 * side * side);
      eachPixel(side, factor, p, q, (small, large) => (phase[small] = planes[large]!));
      phases.push(phase);
    }
  return phases;
}

/** Puts the pictures of `splitPhases` together again. */
export function joinPhases(phases: readonly Float32Array[], side: number, factor: number): Float32Array {
  if (factor === 1) return phases[0]!;
  const planes = new Float32Array(3 * (side * factor) ** 2);
  phases.forEach((phase, k) =>
    eachPixel(side, factor, k % factor, Math.floor(k / factor), (small, large) => {
      planes[large] = phase[small]!;
    }),
  );
  return planes;
}

function eachPixel(
  side: number,
  factor: number,
  p: number,
  q: number,
  visit: (small: number, large: number) => void,
): void {
  const whole = side * factor;
  for (let c = 0; c < 3; c++)
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++)
        visit((c * side + y) * side + x, (c * whole + y * factor + q) * whole + x * factor + p);
}

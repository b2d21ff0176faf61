import type { RgbImage } from '@guise/kernels/image.ts';
import { lumaOf } from '@guise/kernels/luma.ts';
import { meanColour } from './mean-colour.ts';
import { CHIN, LIP, TOP } from '../uv/face-regions.ts';

/** Vertices of the chin's outline, below which a beard is looked for. */
const BELOW_CHIN = [176, 148, 152, 377, 400] as const;
/** Vertices of the cheeks. */
const CHEEKS = [50, 280, 117, 346] as const;
/** Places that are looked at, as shares of the face's height: from, to, and the step. */
const [ABOVE, BELOW, STEP] = [-0.06, 0.105, 0.015] as const;
/** Distance from the outline to which the hairs of any beard are its darkest. */
const DARKEST_TO = 0.03;
/** Length of the longest beard whose end is found, as a share of the face's height. */
const LONGEST_SHARE = 0.09;
/** Luma of a neck in the shade of its chin, as a multiple of the beard's. */
const NECK_GAIN = 1.5;
/** Luma of a thin beard, as a share of that of the cheeks. */
const THIN_SHARE = 0.5;
/** Radius of a looked-at place, as a share of the face's height. */
const PLACE_SHARE = 0.012;

/**
 * Measures how far a beard reaches below the chin's outline, as a share of the face's height: to
 * where the picture becomes as light as a neck.
 * @param landmarks pixels of the image
 * @returns 0 if the beard is so thin that the skin shows through it; Infinity if it does not end
 */
export function beardLength(image: RgbImage, landmarks: Float32Array): number {
  const at = (v: number, axis: number): number => landmarks[3 * v + axis]!;
  const height = Math.hypot(at(CHIN, 0) - at(TOP, 0), at(CHIN, 1) - at(TOP, 1));
  const lumaAround = (x: number, y: number): number =>
    lumaOf(...meanColour(image, x, y, PLACE_SHARE * height));
  const lumaAt = (distance: number): number => {
    const lumas = BELOW_CHIN.map((v) => {
      const [right, down] = [at(v, 0) - at(LIP, 0), at(v, 1) - at(LIP, 1)];
      const along = (distance * height) / Math.hypot(right, down);
      return lumaAround(at(v, 0) + along * right, at(v, 1) + along * down);
    });
    return medianOf(lumas);
  };
  const skin = medianOf(CHEEKS.map((v) => lumaAround(at(v, 0), at(v, 1))));
  let darkest = Infinity;
  let end = Infinity;
  for (let distance = ABOVE; distance <= BELOW; distance += STEP) {
    const luma = lumaAt(distance);
    if (distance <= DARKEST_TO) darkest = Math.min(darkest, luma);
    else if (darkest > THIN_SHARE * skin) return 0;
    if (distance <= 0 || luma <= NECK_GAIN * darkest) end = Infinity;
    // One light place may be a highlight.
    else if (end < distance) return end;
    else end = distance;
    if (end === Infinity && distance > LONGEST_SHARE) return Infinity;
  }
  return Infinity;
}

function medianOf(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { warpToPlanes } from '@guise/kernels/scale/warp.ts';
import type { PlaneFormat } from '@guise/kernels/scale/warp.ts';
import { regionOfMesh, regionToImage } from '../geometry/region.ts';
import type { Region } from '../geometry/region.ts';

/** Side of the surroundings that are looked at, in longer sides of the face. */
const SURROUNDINGS_SIDES = 2.8;
/** Samples a side in which they are looked at. */
const SAMPLES = 48;
const SAMPLE_COUNT = SAMPLES * SAMPLES;

/** Values that are looked at: levels. */
const SAMPLE_FORMAT: PlaneFormat = { scale: 1, offset: [0, 0, 0], order: 'rgb', outside: 'black' };

/** Share of a place that looks like skin over which a hand may be there. */
const LEAST_SKIN_SHARE = 0.05;
/** Luma against the cheeks' within which skin in other light lies. */
const SKIN_LUMA_SHARES = { least: 0.35, most: 1.6 } as const;
/** Least spread of the cheeks' colour, as a share of their luma. */
const MIN_SPREAD = 0.03;
/** Distance of a colour from the cheeks', in spreads, up to which it is skin. */
const MAX_DISTANCE = 2.5;
/** Levels added to luma that colours are divided by: noise is no share of black. */
const LUMA_FLOOR = 8;

/** Box, from the face's middle, in its longer sides and along its axes. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Part of the face that shows its skin: cheeks and nose. */
const CHEEKS: Box = { left: -0.28, right: 0.28, top: -0.1, bottom: 0.15 };
/** What a neck shows whatever the hands do. */
const NECK: Box = { left: -0.3, right: 0.3, top: 0.4, bottom: 0.9 };
/** Square of the distance from the middle within which the jaw lies. */
const JAW_SQUARED = 0.3;

/** Places where a hand may touch a face: where skin would be seen, and what the network looks at. */
const PLACES = [
  { skin: { left: -0.75, right: 0.75, top: 0.4, bottom: 1.3 }, x: 0, y: 0.65 },
  { skin: { left: -1.2, right: -0.5, top: -0.6, bottom: 0.8 }, x: -0.55, y: 0.15 },
  { skin: { left: 0.5, right: 1.2, top: -0.6, bottom: 0.8 }, x: 0.55, y: 0.15 },
] as const;
/** Side of the square that the network looks at, in longer sides of the face. */
const PLACE_SIDES = 1.6;

/**
 * Finds where beside or below a face something is of its skin's colour that is neither face nor
 * neck: only there the network need look for a hand.
 */
export function handPlaces(pyramid: ImagePyramid, landmarks: Float32Array): Region[] {
  const face = regionOfMesh(landmarks, 1);
  const around = { ...face, size: SURROUNDINGS_SIDES * face.size };
  const samples = new Float32Array(3 * SAMPLE_COUNT);
  warpToPlanes(pyramid, regionToImage(around, SAMPLES), SAMPLES, SAMPLES, SAMPLE_FORMAT, samples);
  const isSkin = skinTest(samples);
  const cos = Math.cos(face.angle);
  const sin = Math.sin(face.angle);
  return PLACES.filter(({ skin }) => shareOf(isSkin, skin) > LEAST_SKIN_SHARE).map(({ x, y }) => ({
    x: face.x + face.size * (x * cos - y * sin),
    y: face.y + face.size * (x * sin + y * cos),
    size: PLACE_SIDES * face.size,
    angle: face.angle,
  }));
}

/** Makes a test of whether a sample looks like the skin of the cheeks in some light. */
function skinTest(samples: Float32Array): (sample: number) => boolean {
  const cheeks = samplesIn(CHEEKS);
  const luma = medianOf(cheeks.map((i) => lumaOf(samples, i)));
  const reds = cheeks.map((i) => colourOf(samples, i, 0));
  const blues = cheeks.map((i) => colourOf(samples, i, 2));
  const red = medianOf(reds);
  const blue = medianOf(blues);
  const redSpread = spreadOf(reds, red);
  const blueSpread = spreadOf(blues, blue);
  return (i) => {
    const share = lumaOf(samples, i) / luma;
    if (share < SKIN_LUMA_SHARES.least || share > SKIN_LUMA_SHARES.most) return false;
    const reddish = (colourOf(samples, i, 0) - red) / redSpread;
    const bluish = (colourOf(samples, i, 2) - blue) / blueSpread;
    return reddish * reddish + bluish * bluish < MAX_DISTANCE * MAX_DISTANCE;
  };
}

/** Measures the share of skin in a part of the surroundings, without jaw and neck. */
function shareOf(isSkin: (sample: number) => boolean, box: Box): number {
  const looked = samplesIn(box).filter((i) => !isIn(NECK, i) && !isJaw(i));
  return looked.filter(isSkin).length / looked.length;
}

function samplesIn(box: Box): number[] {
  const inside: number[] = [];
  for (let i = 0; i < SAMPLE_COUNT; i++) if (isIn(box, i)) inside.push(i);
  return inside;
}

function isIn({ left, right, top, bottom }: Box, sample: number): boolean {
  const x = xOf(sample);
  const y = yOf(sample);
  return x > left && x < right && y > top && y < bottom;
}

function isJaw(sample: number): boolean {
  return xOf(sample) ** 2 + yOf(sample) ** 2 < JAW_SQUARED;
}

function xOf(sample: number): number {
  return (((sample % SAMPLES) + 0.5) / SAMPLES - 0.5) * SURROUNDINGS_SIDES;
}

function yOf(sample: number): number {
  return ((Math.floor(sample / SAMPLES) + 0.5) / SAMPLES - 0.5) * SURROUNDINGS_SIDES;
}

function lumaOf(samples: Float32Array, i: number): number {
  return 0.299 * samples[i]! + 0.587 * samples[SAMPLE_COUNT + i]! + 0.114 * samples[2 * SAMPLE_COUNT + i]!;
}

/** Measures how far one plane is from luma, as a share of it. */
function colourOf(samples: Float32Array, i: number, plane: 0 | 2): number {
  const luma = lumaOf(samples, i);
  return (samples[plane * SAMPLE_COUNT + i]! - luma) / (luma + LUMA_FLOOR);
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** Measures how far values stray from their median. */
function spreadOf(values: readonly number[], median: number): number {
  return Math.max(MIN_SPREAD, 2 * medianOf(values.map((value) => Math.abs(value - median))));
}

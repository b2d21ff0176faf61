import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { warpToPlanes } from '@guise/kernels/scale/warp.ts';
import type { PlaneFormat } from '@guise/kernels/scale/warp.ts';
import { regionOfMesh, regionToImage } from '../geometry/region.ts';
import type { HandPlace } from '../geometry/hand.ts';

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

/** Place where a hand may touch a face. */
interface Place {
  /** Samples in which a hand's skin would be seen. */
  readonly samples: Uint16Array;
  /** Middle of what the network looks at, from the face's, in its longer sides along its axes. */
  readonly x: number;
  readonly y: number;
  /** Side of that square, in longer sides of the face. */
  readonly sides: number;
  readonly isForSecond: boolean;
}

/** What is looked at for the skin of a hand below the face. */
const BELOW: Box = { left: -0.75, right: 0.75, top: 0.4, bottom: 1.3 };
/** Side of the square in which a hand may be anywhere, and of the one before a half of the jaw. */
const WIDE_SIDES = 1.6;
const JAW_SIDES = 1.1;

/** Samples of the cheeks. */
const CHEEK_SAMPLES = samplesWhere((x, y) => isIn(CHEEKS, x, y));
/** Below, left and right of the face, and before either half of its jaw. */
const PLACES: readonly Place[] = [
  { samples: handSamples(BELOW), x: 0, y: 0.65, sides: WIDE_SIDES, isForSecond: false },
  {
    samples: handSamples({ left: -1.2, right: -0.5, top: -0.6, bottom: 0.8 }),
    x: -0.55,
    y: 0.15,
    sides: WIDE_SIDES,
    isForSecond: false,
  },
  {
    samples: handSamples({ left: 0.5, right: 1.2, top: -0.6, bottom: 0.8 }),
    x: 0.55,
    y: 0.15,
    sides: WIDE_SIDES,
    isForSecond: false,
  },
  { samples: handSamples(BELOW), x: -0.25, y: 0.45, sides: JAW_SIDES, isForSecond: true },
  { samples: handSamples(BELOW), x: 0.25, y: 0.45, sides: JAW_SIDES, isForSecond: true },
];

/** Lists the samples of a part of the surroundings, without neck and jaw. */
function handSamples(box: Box): Uint16Array {
  return samplesWhere((x, y) => isIn(box, x, y) && !isIn(NECK, x, y) && x * x + y * y > JAW_SQUARED);
}

/**
 * Finds where beside or below a face something is of its skin's colour that is neither face nor
 * neck: only there the network need look for a hand.
 */
export function handPlaces(pyramid: ImagePyramid, landmarks: Float32Array): HandPlace[] {
  const face = regionOfMesh(landmarks, 1);
  const around = { ...face, size: SURROUNDINGS_SIDES * face.size };
  const picture = new Float32Array(3 * SAMPLE_COUNT);
  warpToPlanes(pyramid, regionToImage(around, SAMPLES), SAMPLES, SAMPLES, SAMPLE_FORMAT, picture);
  const isSkin = skinTest(picture);
  const cos = Math.cos(face.angle);
  const sin = Math.sin(face.angle);
  const places = PLACES.map(({ samples, x, y, sides, isForSecond }, index) => ({
    index,
    isForSecond,
    skinShare: shareOf(samples, isSkin),
    region: {
      x: face.x + face.size * (x * cos - y * sin),
      y: face.y + face.size * (x * sin + y * cos),
      size: sides * face.size,
      angle: face.angle,
    },
  }));
  return places.filter(({ skinShare }) => skinShare > LEAST_SKIN_SHARE);
}

/** Makes a test of whether a sample looks like the skin of the cheeks in some light. */
function skinTest(picture: Float32Array): (sample: number) => boolean {
  const lumas = Float64Array.from(CHEEK_SAMPLES, (i) => lumaOf(picture, i));
  const reds = Float64Array.from(CHEEK_SAMPLES, (i) => colourOf(picture, i, 0));
  const blues = Float64Array.from(CHEEK_SAMPLES, (i) => colourOf(picture, i, 2));
  const luma = medianOf(lumas);
  const red = medianOf(reds);
  const blue = medianOf(blues);
  const redSpread = spreadOf(reds, red);
  const blueSpread = spreadOf(blues, blue);
  return (i) => {
    const share = lumaOf(picture, i) / luma;
    if (share < SKIN_LUMA_SHARES.least || share > SKIN_LUMA_SHARES.most) return false;
    const reddish = (colourOf(picture, i, 0) - red) / redSpread;
    const bluish = (colourOf(picture, i, 2) - blue) / blueSpread;
    return reddish * reddish + bluish * bluish < MAX_DISTANCE * MAX_DISTANCE;
  };
}

function shareOf(samples: Uint16Array, isSkin: (sample: number) => boolean): number {
  let count = 0;
  for (const sample of samples) if (isSkin(sample)) count += 1;
  return count / samples.length;
}

/** Lists the samples whose place, in the face's longer sides from its middle, passes a test. */
function samplesWhere(test: (x: number, y: number) => boolean): Uint16Array {
  const place = (at: number): number => ((at + 0.5) / SAMPLES - 0.5) * SURROUNDINGS_SIDES;
  const samples: number[] = [];
  for (let i = 0; i < SAMPLE_COUNT; i++)
    if (test(place(i % SAMPLES), place(Math.floor(i / SAMPLES)))) samples.push(i);
  return Uint16Array.from(samples);
}

function isIn({ left, right, top, bottom }: Box, x: number, y: number): boolean {
  return x > left && x < right && y > top && y < bottom;
}

function lumaOf(picture: Float32Array, i: number): number {
  return 0.299 * picture[i]! + 0.587 * picture[SAMPLE_COUNT + i]! + 0.114 * picture[2 * SAMPLE_COUNT + i]!;
}

/** Measures how far red (plane 0) or blue (plane 2) is from luma, as a share of it. */
function colourOf(picture: Float32Array, i: number, plane: 0 | 2): number {
  const luma = lumaOf(picture, i);
  return (picture[plane * SAMPLE_COUNT + i]! - luma) / (luma + LUMA_FLOOR);
}

function medianOf(values: Float64Array): number {
  return values.toSorted()[values.length >> 1]!;
}

/** Measures how far values stray from their median. */
function spreadOf(values: Float64Array, median: number): number {
  return Math.max(MIN_SPREAD, 2 * medianOf(values.map((value) => Math.abs(value - median))));
}

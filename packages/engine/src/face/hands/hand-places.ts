import { applyAffine } from '@guise/kernels/affine.ts';
import type { Affine } from '@guise/kernels/affine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { warpToPlanes } from '@guise/kernels/scale/warp.ts';
import type { PlaneFormat } from '@guise/kernels/scale/warp.ts';
import { regionOfMesh, regionToImage } from '../geometry/region.ts';
import type { HandPlace } from '../geometry/hand.ts';

/** Side of the surroundings that are looked at, in longer sides of the face. */
const SURROUNDINGS_SIDES = 2.8;
/** Samples a side in which they are looked at. */
const SAMPLES = 48;
/** Samples in all. */
const SAMPLE_COUNT = SAMPLES * SAMPLES;

/** Values that are looked at: levels. */
const SAMPLE_FORMAT: PlaneFormat = { scale: 1, offset: [0, 0, 0], order: 'rgb', outside: 'black' };

/** Share of skin-like samples in a place from which a hand may be there. */
const LEAST_SKIN_SHARE = 0.05;
/** Share of a place that the picture must show at least; what it shows counts as all of it. */
const LEAST_SHOWN_SHARE = 0.2;
/** Range of luma over the cheeks' luma that skin in other light can have. */
const SKIN_LUMA_SHARES = { least: 0.35, most: 1.6 } as const;
/** Luma over the cheeks' above which a throat is too bright for the shade of the jaw. */
const MIN_LIT_LUMA_SHARE = 0.85;
/** Share of the throat that is so bright from which a hand may be before it: 0.19 was the least. */
const LEAST_LIT_SHARE = 0.15;
/** Least spread of the cheeks' colour, as a share of their luma. */
const MIN_SPREAD = 0.03;
/** Distance of a colour from the cheeks', in spreads, up to which it is skin. */
const MAX_DISTANCE = 2.5;
/** Level added to luma before colours are divided by it, because black contains only noise. */
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
/** Appearance of a neck, at any position of the hands. */
const NECK: Box = { left: -0.3, right: 0.3, top: 0.4, bottom: 0.9 };
/** Throat below the chin, where a hand that holds the chin must be. */
const THROAT: Box = { left: -0.35, right: 0.35, top: 0.5, bottom: 0.85 };
/** Square of the distance from the middle up to which a sample is on the jaw. */
const JAW_SQUARED = 0.3;

/** Place where a hand may touch a face. */
interface Place {
  /** Samples in which a hand's skin would be seen. */
  readonly samples: Uint16Array;
  /** Whether the throat must be lit as well, which a bare one hardly is. */
  readonly isBelow: boolean;
  /** Middle of what the network looks at, from the face's, in its longer sides along its axes. */
  readonly x: number;
  readonly y: number;
  /** Side of that square, in longer sides of the face. */
  readonly sides: number;
  readonly isForSecond: boolean;
}

/** What is looked at for the skin of a hand below the face. */
const BELOW: Box = { left: -0.75, right: 0.75, top: 0.4, bottom: 1.3 };
/** Side of the square in which a hand may be anywhere, in longer sides of the face. */
const WIDE_SIDES = 1.6;
/** Side of the square before a half of the jaw, in longer sides of the face. */
const JAW_SIDES = 1.1;

/** Samples of the throat. */
const THROAT_SAMPLES = samplesWhere((x, y) => isIn(THROAT, x, y) && x * x + y * y > JAW_SQUARED);
/** Samples of the cheeks. */
const CHEEK_SAMPLES = samplesWhere((x, y) => isIn(CHEEKS, x, y));
/** Places below, left and right of the face, and before either half of its jaw. */
const PLACES: readonly Place[] = [
  { samples: handSamples(BELOW), isBelow: true, x: 0, y: 0.65, sides: WIDE_SIDES, isForSecond: false },
  {
    samples: handSamples({ left: -1.2, right: -0.5, top: -0.6, bottom: 0.8 }),
    isBelow: false,
    x: -0.55,
    y: 0.15,
    sides: WIDE_SIDES,
    isForSecond: false,
  },
  {
    samples: handSamples({ left: 0.5, right: 1.2, top: -0.6, bottom: 0.8 }),
    isBelow: false,
    x: 0.55,
    y: 0.15,
    sides: WIDE_SIDES,
    isForSecond: false,
  },
  { samples: handSamples(BELOW), isBelow: true, x: -0.25, y: 0.45, sides: JAW_SIDES, isForSecond: true },
  { samples: handSamples(BELOW), isBelow: true, x: 0.25, y: 0.45, sides: JAW_SIDES, isForSecond: true },
];

/** Lists the samples of a part of the surroundings, without neck and jaw. */
function handSamples(box: Box): Uint16Array {
  return samplesWhere((x, y) => isIn(box, x, y) && !isIn(NECK, x, y) && x * x + y * y > JAW_SQUARED);
}

/**
 * Finds places next to or below a face with its skin's colour that are neither face nor neck: only
 * there the network needs to search for a hand.
 */
export function handPlaces(pyramid: ImagePyramid, landmarks: Float32Array): HandPlace[] {
  const face = regionOfMesh(landmarks, 1);
  const around = { ...face, size: SURROUNDINGS_SIDES * face.size };
  const picture = new Float32Array(3 * SAMPLE_COUNT);
  const toImage = regionToImage(around, SAMPLES);
  warpToPlanes(pyramid, toImage, SAMPLES, SAMPLES, SAMPLE_FORMAT, picture);
  const isShown = insideTest(toImage, pyramid.image);
  const isSkin = skinTest(picture, SKIN_LUMA_SHARES.least);
  const isLit = skinTest(picture, MIN_LIT_LUMA_SHARE);
  const isThroatLit = shareOfShown(THROAT_SAMPLES, isLit, isShown) > LEAST_LIT_SHARE;
  const cos = Math.cos(face.angle);
  const sin = Math.sin(face.angle);
  const places = PLACES.map(({ samples, isBelow, x, y, sides, isForSecond }, index) => ({
    index,
    isForSecond,
    isPossible: isThroatLit || !isBelow,
    skinShare: shareOfShown(samples, isSkin, isShown),
    region: {
      x: face.x + face.size * (x * cos - y * sin),
      y: face.y + face.size * (x * sin + y * cos),
      size: sides * face.size,
      angle: face.angle,
    },
  }));
  return places.filter(({ skinShare, isPossible }) => isPossible && skinShare > LEAST_SKIN_SHARE);
}

/**
 * Makes a test of whether a sample looks like the skin of the cheeks.
 * @param leastLuma share of their luma that it has at least
 */
function skinTest(picture: Float32Array, leastLuma: number): (sample: number) => boolean {
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
    if (share < leastLuma || share > SKIN_LUMA_SHARES.most) return false;
    const reddish = (colourOf(picture, i, 0) - red) / redSpread;
    const bluish = (colourOf(picture, i, 2) - blue) / blueSpread;
    return reddish * reddish + bluish * bluish < MAX_DISTANCE * MAX_DISTANCE;
  };
}

/** Makes a function that tells whether a sample is in the picture, and not on its border. */
function insideTest(toImage: Affine, { width, height }: RgbImage): (sample: number) => boolean {
  return (i) => {
    const [x, y] = applyAffine(toImage, (i % SAMPLES) + 0.5, Math.floor(i / SAMPLES) + 0.5);
    return x > 0 && y > 0 && x < width && y < height;
  };
}

/** Measures the share of samples that pass a test, of those that the picture shows. */
function shareOfShown(
  samples: Uint16Array,
  passes: (sample: number) => boolean,
  isShown: (sample: number) => boolean,
): number {
  let count = 0;
  let shown = 0;
  for (const sample of samples) {
    if (!isShown(sample)) continue;
    shown += 1;
    if (passes(sample)) count += 1;
  }
  return count / Math.max(shown, LEAST_SHOWN_SHARE * samples.length);
}

/** Lists the samples whose place, in the face's longer sides from its middle, passes a test. */
function samplesWhere(test: (x: number, y: number) => boolean): Uint16Array {
  const samples: number[] = [];
  for (let i = 0; i < SAMPLE_COUNT; i++)
    if (test(placeOf(i % SAMPLES), placeOf(Math.floor(i / SAMPLES)))) samples.push(i);
  return Uint16Array.from(samples);
}

/** Where a column or row of samples lies, in the face's longer sides from its middle. */
function placeOf(at: number): number {
  return ((at + 0.5) / SAMPLES - 0.5) * SURROUNDINGS_SIDES;
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

import { applyAffine } from '@guise/kernels/affine.ts';
import type { Affine } from '@guise/kernels/affine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { warpToPlanes } from '@guise/kernels/scale/warp.ts';
import type { PlaneFormat } from '@guise/kernels/scale/warp.ts';
import { lumaOf } from '@guise/kernels/luma.ts';
import { regionOfMesh, regionToImage } from '../geometry/region.ts';
import type { HandPlace } from '../geometry/hand.ts';

/** Side of the surroundings that are searched, in longer sides of the face. */
const SURROUNDINGS_SIDES = 2.8;
/** Number of samples per side in the surroundings. */
const SAMPLES = 48;
/** Number of all samples. */
const SAMPLE_COUNT = SAMPLES * SAMPLES;

/** Format of the samples: RGB, 0 to 255. */
const SAMPLE_FORMAT: PlaneFormat = { scale: 1, offset: [0, 0, 0], order: 'rgb', outside: 'black' };

/** Smallest share of skin-coloured samples in a place where a hand is possible. */
const MIN_SKIN_SHARE = 0.05;
/**
 * Smallest share of a place that must be in the picture. The visible part then counts as the whole.
 */
const MIN_SHOWN_SHARE = 0.2;
/** Range of luma, relative to the cheeks' luma, of skin in other light. */
const SKIN_LUMA_SHARES = { least: 0.35, most: 1.6 } as const;
/** Luma, relative to the cheeks', above which a throat is too bright for the shade of the jaw. */
const MIN_LIT_LUMA_SHARE = 0.85;
/**
 * Smallest share of lit samples in the throat if a hand is in front of it. Measured: 0.19 and more.
 */
const MIN_LIT_SHARE = 0.15;
/** Smallest spread of the cheeks' colour, as a share of their luma. */
const MIN_SPREAD = 0.03;
/** Largest distance of skin's colour from the cheeks', in spreads. */
const MAX_DISTANCE = 2.5;
/**
 * Level that is added to luma before colours are divided by it, because black contains only noise.
 */
const LUMA_FLOOR = 8;

/** Box relative to the face's middle, in longer sides of the face and along its axes. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Part of the face that shows its skin: cheeks and nose. */
const CHEEKS: Box = { left: -0.28, right: 0.28, top: -0.1, bottom: 0.15 };
/** Place of the neck, whose skin says nothing about hands. */
const NECK: Box = { left: -0.3, right: 0.3, top: 0.4, bottom: 0.9 };
/** Throat below the chin. A hand that holds the chin must be there. */
const THROAT: Box = { left: -0.35, right: 0.35, top: 0.5, bottom: 0.85 };
/** Square of the distance from the middle up to which a sample is on the face or jaw. */
const JAW_SQUARED = 0.3;

/** Place where a hand may touch a face. */
interface Place {
  /** Samples that would show the skin of a hand. */
  readonly samples: Uint16Array;
  /** Whether the throat must be lit as well. A bare throat hardly ever is. */
  readonly isBelow: boolean;
  /**
   * Centre of the square that the network reads, relative to the face's middle, in its longer sides
   * and along its axes.
   */
  readonly x: number;
  readonly y: number;
  /** Side of that square, in longer sides of the face. */
  readonly sides: number;
  readonly isForSecond: boolean;
}

/** Area in which the skin of a hand below the face would be. */
const BELOW: Box = { left: -0.75, right: 0.75, top: 0.4, bottom: 1.3 };
/** Side of the square in which a hand may be anywhere, in longer sides of the face. */
const WIDE_SIDES = 1.6;
/** Side of the square in front of one half of the jaw, in longer sides of the face. */
const JAW_SIDES = 1.1;

/** Samples of the throat. */
const THROAT_SAMPLES = samplesWhere((x, y) => isIn(THROAT, x, y) && x * x + y * y > JAW_SQUARED);
/** Samples of the cheeks. */
const CHEEK_SAMPLES = samplesWhere((x, y) => isIn(CHEEKS, x, y));
/** Places below, left and right of the face, and in front of each half of its jaw. */
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
 * Finds places next to or below a face that have the colour of its skin and are neither face nor
 * neck. The network only needs to search for hands there.
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
  const isThroatLit = shareOfShown(THROAT_SAMPLES, isLit, isShown) > MIN_LIT_SHARE;
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
  return places.filter(({ skinShare, isPossible }) => isPossible && skinShare > MIN_SKIN_SHARE);
}

/**
 * Makes a test whether a sample looks like the skin of the cheeks.
 * @param leastLuma smallest luma, as a share of the cheeks' luma
 */
function skinTest(picture: Float32Array, leastLuma: number): (sample: number) => boolean {
  const lumas = Float64Array.from(CHEEK_SAMPLES, (i) => lumaAt(picture, i));
  const reds = Float64Array.from(CHEEK_SAMPLES, (i) => colourOf(picture, i, 0));
  const blues = Float64Array.from(CHEEK_SAMPLES, (i) => colourOf(picture, i, 2));
  const luma = medianOf(lumas);
  const red = medianOf(reds);
  const blue = medianOf(blues);
  const redSpread = spreadOf(reds, red);
  const blueSpread = spreadOf(blues, blue);
  return (i) => {
    const share = lumaAt(picture, i) / luma;
    if (share < leastLuma || share > SKIN_LUMA_SHARES.most) return false;
    const reddish = (colourOf(picture, i, 0) - red) / redSpread;
    const bluish = (colourOf(picture, i, 2) - blue) / blueSpread;
    return reddish * reddish + bluish * bluish < MAX_DISTANCE * MAX_DISTANCE;
  };
}

/** Makes a test whether a sample is inside the picture, and not on its border. */
function insideTest(toImage: Affine, { width, height }: RgbImage): (sample: number) => boolean {
  return (i) => {
    const [x, y] = applyAffine(toImage, (i % SAMPLES) + 0.5, Math.floor(i / SAMPLES) + 0.5);
    return x > 0 && y > 0 && x < width && y < height;
  };
}

/** Measures the share of samples that pass a test, among those that the picture shows. */
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
  return count / Math.max(shown, MIN_SHOWN_SHARE * samples.length);
}

/**
 * Lists the samples whose position passes a test. Positions are in longer sides of the face, from
 * its middle.
 */
function samplesWhere(test: (x: number, y: number) => boolean): Uint16Array {
  const samples: number[] = [];
  for (let i = 0; i < SAMPLE_COUNT; i++)
    if (test(placeOf(i % SAMPLES), placeOf(Math.floor(i / SAMPLES)))) samples.push(i);
  return Uint16Array.from(samples);
}

/**
 * Returns the position of a column or row of samples, in longer sides of the face, from its middle.
 */
function placeOf(at: number): number {
  return ((at + 0.5) / SAMPLES - 0.5) * SURROUNDINGS_SIDES;
}

function isIn({ left, right, top, bottom }: Box, x: number, y: number): boolean {
  return x > left && x < right && y > top && y < bottom;
}

function lumaAt(picture: Float32Array, i: number): number {
  return lumaOf(picture[i]!, picture[SAMPLE_COUNT + i]!, picture[2 * SAMPLE_COUNT + i]!);
}

/** Measures the difference of red (plane 0) or blue (plane 2) from luma, as a share of the luma. */
function colourOf(picture: Float32Array, i: number, plane: 0 | 2): number {
  const luma = lumaAt(picture, i);
  return (picture[plane * SAMPLE_COUNT + i]! - luma) / (luma + LUMA_FLOOR);
}

function medianOf(values: Float64Array): number {
  return values.toSorted()[values.length >> 1]!;
}

/** Measures how far values deviate from their median. */
function spreadOf(values: Float64Array, median: number): number {
  return Math.max(MIN_SPREAD, 2 * medianOf(values.map((value) => Math.abs(value - median))));
}

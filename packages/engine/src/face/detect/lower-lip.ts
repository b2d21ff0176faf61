import { clamp } from '@guise/kernels/clamp.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { levelForStep } from '@guise/kernels/scale/warp.ts';
import { lumaOf } from '@guise/kernels/luma.ts';

/**
 * Vertices of one column of the lower lip, and the share of the ring's offset by which each moves.
 */
const ROW_SHARES = { semiInner: 1 / 3, semiOuter: 2 / 3, outer: 1, below: 1 / 2 } as const;
/**
 * Columns of the lower lip from the right corner to the left. Vertices are in order from the inside
 * out.
 */
const COLUMNS: readonly Readonly<Record<keyof typeof ROW_SHARES, number>>[] = [
  { semiInner: 89, semiOuter: 90, outer: 91, below: 106 },
  { semiInner: 179, semiOuter: 180, outer: 181, below: 182 },
  { semiInner: 86, semiOuter: 85, outer: 84, below: 83 },
  { semiInner: 15, semiOuter: 16, outer: 17, below: 18 },
  { semiInner: 316, semiOuter: 315, outer: 314, below: 313 },
  { semiInner: 403, semiOuter: 404, outer: 405, below: 406 },
  { semiInner: 319, semiOuter: 320, outer: 321, below: 335 },
];
/** Vertices of the outer ring before the first and after the last column. */
const RING_ENDS = [146, 375] as const;
/** Topmost and lowest vertex of the midline. */
const MIDLINE_ENDS = [10, 152] as const;

/** Distance between two samples along a normal, in lengths of the face. */
const STEP_FACES = 0.0025;
/** Number of samples on the lip's side and on the chin's side of the ring. */
const SAMPLES = { inside: 14, outside: 24 } as const;
/** Number of samples on either side of an edge over which its drop is measured. */
const EDGE_SAMPLES = 8;
/** Number of samples at the outer end of a normal that show the chin. */
const CHIN_SAMPLES = 8;
/** Largest move of the ring towards the lip and away from it, in lengths of the face. */
const MAX_OFFSET_FACES = { inwards: 0.012, outwards: 0.04 } as const;
/** Share of the way from the chin's redness to the lip's at which the lip ends. */
const END_SHARE = 0.25;
/**
 * Luma that is added before redness is measured, so that noise in dark places does not count as
 * red.
 */
const DARK_FLOOR_LUMA = 10;
/** Smallest difference in redness between lip and chin, as a share of the luma. */
const MIN_CONTRAST = 0.08;
/** Smallest redness of a lip, in multiples of the chin's. */
const MIN_RATIO = 1.5;
/**
 * Smallest share of that difference that the edge must contain, because shades of a chin change
 * slowly.
 */
const MIN_DROP_SHARE = 0.45;
/** Number of columns that must show an edge on one smooth line. */
const MIN_COLUMNS = 4;
/** Largest distance of an edge from its line, in lengths of the face. */
const MAX_MISFIT_FACES = 0.008;

type Point = readonly [x: number, y: number];

/**
 * Moves the lower lip's outer edge in `landmarks` to the place where the lip's redness ends. The
 * mesh often ends the lip of an open mouth at the teeth. Lips that are hardly redder than the chin
 * stay as they are.
 * @param landmarks 478 x (x, y, z), pixels
 */
export function refineLowerLip(pyramid: ImagePyramid, landmarks: Float32Array): void {
  const [top, bottom] = MIDLINE_ENDS.map((v) => pointOf(landmarks, v)) as [Point, Point];
  const faceLength = Math.hypot(bottom[0] - top[0], bottom[1] - top[1]);
  const { image, number } = pyramid.level(levelForStep(STEP_FACES * faceLength));
  const normals = normalsOf(landmarks);
  const found = COLUMNS.map(({ outer }, column) =>
    edgeAlong(image, 2 ** -number, pointOf(landmarks, outer), normals[column]!, STEP_FACES * faceLength),
  );
  const offsets = lineThrough(found);
  if (offsets === null) return;
  for (const [column, vertices] of COLUMNS.entries())
    for (const [row, share] of Object.entries(ROW_SHARES)) {
      const v = vertices[row as keyof typeof ROW_SHARES];
      const reach = share * offsets[column]! * faceLength;
      landmarks[3 * v]! += reach * normals[column]![0];
      landmarks[3 * v + 1]! += reach * normals[column]![1];
    }
}

function pointOf(landmarks: Float32Array, v: number): Point {
  return [landmarks[3 * v]!, landmarks[3 * v + 1]!];
}

/** Returns the unit vectors across the ring at each column, which point away from the lip. */
function normalsOf(landmarks: Float32Array): readonly Point[] {
  const [right, left] = RING_ENDS;
  const ring = [right, ...COLUMNS.map(({ outer }) => outer), left].map((v) => pointOf(landmarks, v));
  return COLUMNS.map((_, column) => {
    const [fromX, fromY] = ring[column]!;
    const [toX, toY] = ring[column + 2]!;
    const length = Math.hypot(toX - fromX, toY - fromY) || 1;
    return [(fromY - toY) / length, (toX - fromX) / length];
  });
}

/**
 * Finds the place where redness ends along one normal.
 * @param scale from pixels of the landmarks to the image's @param step pixels of the landmarks
 * @returns lengths of the face from the ring, positive away from the lip; null if no lip is clearly
 * redder
 */
function edgeAlong(
  image: RgbImage,
  scale: number,
  [x, y]: Point,
  [across, down]: Point,
  step: number,
): number | null {
  const redness: number[] = [];
  for (let k = -SAMPLES.inside; k <= SAMPLES.outside; k++)
    redness.push(rednessAt(image, scale * (x + k * step * across), scale * (y + k * step * down)));
  const chin = median(redness.slice(-CHIN_SAMPLES));
  const lip = Math.max(...redness.slice(0, -CHIN_SAMPLES));
  if (lip - chin < MIN_CONTRAST || lip < MIN_RATIO * chin) return null;
  let steepest = 0;
  let largest = 0;
  for (let k = EDGE_SAMPLES; k <= redness.length - EDGE_SAMPLES; k++) {
    const drop = mean(redness.slice(k - EDGE_SAMPLES, k)) - mean(redness.slice(k, k + EDGE_SAMPLES));
    if (drop <= largest) continue;
    steepest = k;
    largest = drop;
  }
  if (largest < MIN_DROP_SHARE * (lip - chin)) return null;
  let end = steepest;
  const last = Math.min(steepest + EDGE_SAMPLES, redness.length - 1);
  while (end < last && redness[end]! > chin + END_SHARE * (lip - chin)) end += 1;
  const offset = (end - 0.5 - SAMPLES.inside) * STEP_FACES;
  return offset < -MAX_OFFSET_FACES.inwards || offset > MAX_OFFSET_FACES.outwards ? null : offset;
}

/** Measures the redness at a place between pixels, as a share of the luma. */
function rednessAt({ data, width, height }: RgbImage, x: number, y: number): number {
  const left = clamp(x - 0.5, 0, width - 1.001);
  const top = clamp(y - 0.5, 0, height - 1.001);
  const at = 3 * (Math.floor(top) * width + Math.floor(left));
  const across = left - Math.floor(left);
  const down = top - Math.floor(top);
  const channel = (k: number): number => {
    const upper = data[at + k]! + across * (data[at + k + 3]! - data[at + k]!);
    const below = at + 3 * width + k;
    const lower = data[below]! + across * (data[below + 3]! - data[below]!);
    return upper + down * (lower - upper);
  };
  const red = channel(0);
  const luma = lumaOf(red, channel(1), channel(2));
  return (red - luma) / (luma + DARK_FLOOR_LUMA);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Fits a smooth line through the edges that were found, without those far from the line. Returns
 * one offset per column, or null if too few edges are on a line.
 */
function lineThrough(found: readonly (number | null)[]): readonly number[] | null {
  let known = [...found.keys()].filter((column) => found[column] !== null);
  while (known.length >= MIN_COLUMNS) {
    const line = fitArch(found, known);
    const misfits = known.map((column) => Math.abs(found[column]! - line[column]!));
    const worst = misfits.indexOf(Math.max(...misfits));
    if (misfits[worst]! <= MAX_MISFIT_FACES) return line;
    known = known.filter((_, k) => k !== worst);
  }
  return null;
}

/** Fits an arch that ends at the mouth's corners, and may be tilted, by least squares. */
function fitArch(found: readonly (number | null)[], known: readonly number[]): readonly number[] {
  const places = COLUMNS.map((_, column) => ((column + 1) * 2) / (COLUMNS.length + 1) - 1);
  const arch = places.map((place) => 1 - place ** 2);
  const tilted = places.map((place, column) => place * arch[column]!);
  const sumOf = (a: readonly number[], b: readonly (number | null)[]): number =>
    known.reduce((sum, column) => sum + a[column]! * b[column]!, 0);
  const [straight, mixed, tilt] = [sumOf(arch, arch), sumOf(arch, tilted), sumOf(tilted, tilted)];
  const [alongArch, alongTilt] = [sumOf(arch, found), sumOf(tilted, found)];
  const scale = 1 / (straight * tilt - mixed ** 2);
  const height = scale * (tilt * alongArch - mixed * alongTilt);
  const slope = scale * (straight * alongTilt - mixed * alongArch);
  return arch.map((value, column) => height * value + slope * tilted[column]!);
}

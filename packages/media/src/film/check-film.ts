import type { PictureShape } from '../video/video-encoder.ts';
import type { FilmCut } from './cut-film.ts';

/** Largest number of ticks, pixels of a side, packets and so on. Sums of such numbers are exact. */
const MAX_NUMBER = 2 ** 50;
/** Largest numerator and denominator of a fraction. */
const MAX_TERM = 2 ** 31 - 1;
/** Largest number of key frames: the longest film has this many pictures. */
const MAX_KEY_FRAMES = 160_000;

/**
 * Checks and returns a cut that was read from a file. An attacker may control the machine that
 * wrote the file.
 * @throws Error if it is not a cut
 */
export function checkCut(value: unknown): FilmCut {
  const cut = (value ?? {}) as Partial<FilmCut>;
  const { keyFrames, starts } = cut;
  must(
    isFraction(cut.timeBase, 1) && typeof cut.originTick === 'string' && /^-?\d{1,18}$/.test(cut.originTick),
  );
  must(isWhole(cut.frameCount) && typeof cut.seconds === 'number' && cut.seconds >= 0);
  must(Array.isArray(keyFrames) && keyFrames.length > 0 && keyFrames.length <= MAX_KEY_FRAMES);
  must(keyFrames.every((key) => isWhole(key?.packet) && Number.isSafeInteger(key.tick)));
  must(Array.isArray(starts) && starts.length > 0 && starts[0] === 0 && starts.every(isWhole));
  must(cut.part === undefined || isPart(cut.part));
  must(starts.every((start, k) => k === 0 || start > starts[k - 1]!));
  return cut as FilmCut;
}

/**
 * Checks and returns a shape that was read from a file; see `checkCut`.
 * @throws Error if it is not a shape
 */
export function checkShape(value: unknown): PictureShape {
  const shape = (value ?? {}) as Partial<PictureShape>;
  must(isWhole(shape.width) && isWhole(shape.height) && shape.width > 0 && shape.height > 0);
  must(shape.width <= 8192 && shape.height <= 8192 && isFraction(shape.sampleAspectRatio, 0));
  for (const number of [
    shape.format,
    shape.colorSpace,
    shape.colorRange,
    shape.colorPrimaries,
    shape.colorTrc,
    shape.chromaLocation,
  ])
    must(isWhole(number) && number < 1000);
  return shape as PictureShape;
}

function isPart(value: unknown): boolean {
  const { ticks, filmOriginTick } = (value ?? {}) as Partial<NonNullable<FilmCut['part']>>;
  return isWhole(ticks) && typeof filmOriginTick === 'string' && /^-?\d{1,18}$/.test(filmOriginTick);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_NUMBER;
}

function isFraction(value: unknown, least: number): boolean {
  const { num, den } = (value ?? {}) as { num?: unknown; den?: unknown };
  return isWhole(num) && isWhole(den) && num >= least && den >= least && num <= MAX_TERM && den <= MAX_TERM;
}

function must(condition: boolean): asserts condition {
  if (!condition) throw new Error('A temporary file of the video contains an invalid value.');
}

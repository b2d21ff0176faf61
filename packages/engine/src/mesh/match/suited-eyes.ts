import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { EYES } from '../uv/face-regions.ts';
import type { Eye } from './eye.ts';
import { eyeOf } from './eye.ts';

/**
 * Opening of the source's eyes over that of the eyes to draw. 0 at `from`: they are too shut; 1 at
 * `to`: they show enough of their irises.
 */
const WIDE_ENOUGH_RATIO: Ramp = { from: 0.75, to: 0.79 };
/**
 * Least opening of narrowed eyes over the target's. Of eyes still less open, lids hide too much.
 */
const MIN_NARROWED = 0.82;
/**
 * Size of the source's irises over the target's, in pixels. 0 at `from`: too blurred; 1 at `to`:
 * sharp enough.
 */
const SHARP_ENOUGH_RATIO: Ramp = { from: 0.3, to: 0.42 };
/**
 * Distances by which both irises follow the target's gaze at most, aside and down, in their radii.
 * Beyond them, lids of the source hide what would be seen.
 */
const FOLLOWED_RADII = [0.5, 0.15] as const;
/**
 * Distance that one iris moves along its eye, in its radii. 0 at `from`: too far to look natural; 1
 * at `to`.
 */
const MOVED_RADII: Ramp = { from: 0.7, to: 0.5 };
/** Largest factor by which irises grow. */
const MAX_GROWTH = 1.1;
/** Smallest opening of the target's eyes by which the source's is divided, iris diameters. */
const MIN_OPENING = 0.05;

/**
 * Measures how well a source's eyes can replace the target's, 0..1, as one value for both eyes. The
 * value is low if they are half shut, look elsewhere or have only a few pixels.
 * @param source, target 478 x (x, y, z), each in its own image's pixels
 * @param unfollowed see `unfollowedGaze`
 */
export function suitedEyes(source: Float32Array, target: Float32Array, unfollowed: Gaze): number {
  const moved = gazes(source, target).map(([aside]) => Math.abs(aside - unfollowed[0]));
  return (
    ramp(WIDE_ENOUGH_RATIO, openingRatio(source, target)) *
    ramp(MOVED_RADII, Math.max(...moved)) *
    sharpness(source, target)
  );
}

/**
 * Returns the share of their opening by which the target's eyes must narrow to show the source's,
 * 0..0.18. It is 0 if the source's eyes are nearly shut or have only a few pixels.
 */
export function narrowing(source: Float32Array, target: Float32Array): number {
  const left = openingRatio(source, target) / WIDE_ENOUGH_RATIO.to;
  return left < MIN_NARROWED ? 0 : sharpness(source, target) * Math.max(0, 1 - left);
}

/** Place of an iris between the lids, or a difference of two: aside and down, in its radii. */
export type Gaze = readonly [aside: number, down: number];

/** Measures the part of the target's gaze that the source's irises do not follow. */
export function unfollowedGaze(source: Float32Array, target: Float32Array): Gaze {
  const [one, other] = gazes(source, target) as [Gaze, Gaze];
  const beyond = (axis: 0 | 1): number => {
    const mean = (one[axis] + other[axis]) / 2;
    return mean - clamp(mean, -FOLLOWED_RADII[axis], FOLLOWED_RADII[axis]);
  };
  return [beyond(0), beyond(1)];
}

/** Measures how differently each of the target's eyes looks from the source's. */
function gazes(source: Float32Array, target: Float32Array): Gaze[] {
  const [from, to] = [gazesOf(source), gazesOf(target)];
  return EYES.map((_, k) => [to[k]![0] - from[k]![0], to[k]![1] - from[k]![1]]);
}

/** Measures where both irises are, from the middle of their eyes. @param mesh 478 x (x, y, z) */
export function gazesOf(mesh: Float32Array): Gaze[] {
  return EYES.map((eye) => gazeOf(mesh, eye));
}

/**
 * Returns the factor, up to 1.1, by which irises must grow for the source's eyes to fill the
 * target's: beside them, white of the target would show.
 */
export function irisGrowth(source: Float32Array, target: Float32Array): number {
  return clamp(1 / openingRatio(source, target), 1, MAX_GROWTH);
}

function sharpness(source: Float32Array, target: Float32Array): number {
  return ramp(SHARP_ENOUGH_RATIO, radiusOf(source) / radiusOf(target));
}

function openingRatio(source: Float32Array, target: Float32Array): number {
  return opennessOf(source) / Math.max(MIN_OPENING, opennessOf(target));
}

/**
 * Measures the opening of both eyes in diameters of the larger iris, because the other may be
 * foreshortened.
 */
function opennessOf(mesh: Float32Array): number {
  const [one, other] = EYES.map((eye) => eyeOf(mesh, eye)) as [Eye, Eye];
  return (one.opening * one.radius + other.opening * other.radius) / Math.max(one.radius, other.radius);
}

/** Returns the radius of the larger iris, pixels. */
function radiusOf(mesh: Float32Array): number {
  return Math.max(...EYES.map((eye) => eyeOf(mesh, eye).radius));
}

/** Measures where the iris is, from the middle of the eye. */
function gazeOf(mesh: Float32Array, shape: (typeof EYES)[number]): Gaze {
  const { x, y, radius, angle } = eyeOf(mesh, shape);
  const [start, end] = shape.corners;
  const middleX = (mesh[3 * start]! + mesh[3 * end]!) / 2;
  const middleY = (mesh[3 * start + 1]! + mesh[3 * end + 1]!) / 2;
  const [cos, sin] = [Math.cos(angle) / radius, Math.sin(angle) / radius];
  let [lidsX, lidsY] = [0, 0];
  for (const v of shape.ring) {
    lidsX += mesh[3 * v]! / shape.ring.length;
    lidsY += mesh[3 * v + 1]! / shape.ring.length;
  }
  return [(x - middleX) * cos + (y - middleY) * sin, (y - lidsY) * cos - (x - lidsX) * sin];
}

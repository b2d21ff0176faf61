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
const WIDE_ENOUGH_RATIO: Ramp = { from: 0.76, to: 0.8 };
/** Least opening of narrowed eyes over the target's. Beyond it, the source blinks. */
const MIN_NARROWED = 0.5;
/**
 * Size of the source's irises over the target's, in pixels. 0 at `from`: too blurred; 1 at `to`:
 * sharp enough.
 */
const SHARP_ENOUGH_RATIO: Ramp = { from: 0.2, to: 0.3 };
/**
 * Distance by which both irises follow the target's gaze at most, in their radii. Beyond it, lids
 * of the source hide what would be seen.
 */
const FOLLOWED_RADII = 0.5;
/**
 * Distance that one iris moves along its eye, in its radii. 0 at `from`: too far to look natural; 1
 * at `to`.
 */
const MOVED_RADII: Ramp = { from: 0.7, to: 0.5 };
/** Smallest opening of the target's eyes by which the source's is divided, iris diameters. */
const MIN_OPENING = 0.05;

/**
 * Measures how well a source's eyes can replace the target's, 0..1, as one value for both eyes. The
 * value is low if they are half shut, look elsewhere or have only a few pixels.
 * @param source, target 478 x (x, y, z), each in its own image's pixels
 * @param unfollowed see `unfollowedGaze`
 */
export function suitedEyes(source: Float32Array, target: Float32Array, unfollowed: number): number {
  const moved = gazes(source, target).map((gaze) => Math.abs(gaze - unfollowed));
  const size = radiusOf(source) / radiusOf(target);
  return (
    ramp(WIDE_ENOUGH_RATIO, openingRatio(source, target)) *
    ramp(MOVED_RADII, Math.max(...moved)) *
    ramp(SHARP_ENOUGH_RATIO, size)
  );
}

/**
 * Returns the share of their opening by which the target's eyes must narrow to show the source's,
 * 0..0.5. It is 0 if the source blinks.
 */
export function narrowing(source: Float32Array, target: Float32Array): number {
  const left = openingRatio(source, target) / WIDE_ENOUGH_RATIO.to;
  return left < MIN_NARROWED ? 0 : Math.max(0, 1 - left);
}

/**
 * Measures how much farther aside the target looks than the source's irises can follow, in their
 * radii, positive towards the image's right.
 */
export function unfollowedGaze(source: Float32Array, target: Float32Array): number {
  const [one, other] = gazes(source, target) as [number, number];
  const aside = (one + other) / 2;
  return aside - clamp(aside, -FOLLOWED_RADII, FOLLOWED_RADII);
}

/** Measures how far each of the target's eyes looks aside of the source's, in radii of the iris. */
function gazes(source: Float32Array, target: Float32Array): number[] {
  return EYES.map((eye) => gazeOf(target, eye) - gazeOf(source, eye));
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

/** Measures how far the iris is from the middle between the eye's corners, in radii of the iris. */
function gazeOf(mesh: Float32Array, shape: (typeof EYES)[number]): number {
  const { x, y, radius, angle } = eyeOf(mesh, shape);
  const [start, end] = shape.corners;
  const middleX = (mesh[3 * start]! + mesh[3 * end]!) / 2;
  const middleY = (mesh[3 * start + 1]! + mesh[3 * end + 1]!) / 2;
  return ((x - middleX) * Math.cos(angle) + (y - middleY) * Math.sin(angle)) / radius;
}

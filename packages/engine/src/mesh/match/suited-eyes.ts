import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { EYES } from '../uv/face-regions.ts';
import type { Eye } from './eye.ts';
import { eyeOf } from './eye.ts';

/**
 * Opening of the source's eyes over the target's. 0 at `from`: they are too shut; 1 at `to`: they
 * show enough of their irises.
 */
const WIDE_ENOUGH_RATIO: Ramp = { from: 0.82, to: 0.86 };
/**
 * Size of the source's irises over the target's, in pixels. 0 at `from`: too blurred; 1 at `to`:
 * sharp enough.
 */
const SHARP_ENOUGH_RATIO: Ramp = { from: 0.35, to: 0.5 };
/**
 * Distance that an iris moves along its eye, in its radii. 0 at `from`: the source looks so far
 * aside that its lids hide what is needed; 1 at `to`: everything needed is visible.
 */
const MOVED_RADII: Ramp = { from: 0.7, to: 0.5 };
/** Smallest opening of the target's eyes by which the source's is divided, iris diameters. */
const MIN_OPENING = 0.05;

/**
 * Measures how well a source's eyes can replace the target's, 0..1, as one value for both eyes. The
 * value is low if they are half shut, look elsewhere or have only a few pixels.
 * @param source, target 478 x (x, y, z), each in its own image's pixels
 */
export function suitedEyes(source: Float32Array, target: Float32Array): number {
  const ratio = opennessOf(source) / Math.max(MIN_OPENING, opennessOf(target));
  const moved = EYES.map((eye) => Math.abs(gazeOf(source, eye) - gazeOf(target, eye)));
  const size = radiusOf(source) / radiusOf(target);
  return (
    ramp(WIDE_ENOUGH_RATIO, ratio) * ramp(MOVED_RADII, Math.max(...moved)) * ramp(SHARP_ENOUGH_RATIO, size)
  );
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

import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { EYES } from '../uv/face-regions.ts';
import type { Eye } from './eye.ts';
import { eyeOf } from './eye.ts';

/**
 * Opening of the source's eyes against the target's over which they have an iris to show where the
 * target's is. Half-shut source eyes have no iris to show there.
 */
const WIDE_ENOUGH_RATIO: Ramp = { from: 0.82, to: 0.86 };
/** Size of the source's irises against the target's, pixels, over which they are sharp enough. */
const SHARP_ENOUGH_RATIO: Ramp = { from: 0.35, to: 0.5 };
/**
 * Way that an iris is moved along its eye, in its radii, over which the source looks aside: what
 * was behind its lids is missing then.
 */
const MOVED_RADII: Ramp = { from: 0.7, to: 0.5 };
/** Opening that the target's eyes count with at least, iris diameters. */
const MIN_OPENING = 0.05;

/**
 * Says how far a source's eyes can stand in for the target's, 0..1, for both of them: not where
 * they are half shut, look elsewhere or are a few pixels.
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
 * Both eyes' openings in diameters of the larger iris: that of an eye turned away is foreshortened.
 */
function opennessOf(mesh: Float32Array): number {
  const [one, other] = EYES.map((eye) => eyeOf(mesh, eye)) as [Eye, Eye];
  return (one.opening * one.radius + other.opening * other.radius) / Math.max(one.radius, other.radius);
}

/** Radius of the larger iris, pixels. */
function radiusOf(mesh: Float32Array): number {
  return Math.max(...EYES.map((eye) => eyeOf(mesh, eye).radius));
}

/** Where the iris lies between the corners of its eye, in its radii from their middle. */
function gazeOf(mesh: Float32Array, shape: (typeof EYES)[number]): number {
  const { x, y, radius, angle } = eyeOf(mesh, shape);
  const [start, end] = shape.corners;
  const middleX = (mesh[3 * start]! + mesh[3 * end]!) / 2;
  const middleY = (mesh[3 * start + 1]! + mesh[3 * end + 1]!) / 2;
  return ((x - middleX) * Math.cos(angle) + (y - middleY) * Math.sin(angle)) / radius;
}

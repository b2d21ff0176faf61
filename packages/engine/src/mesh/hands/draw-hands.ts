import { clamp } from '@guise/kernels/clamp.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { HAND_LANDMARK_COUNT, palmLength } from '../../face/geometry/hand.ts';

/** Pairs of joints that bones and the palm's edges connect. */
const BONES = [
  [0, 1, 2, 3, 4],
  [0, 5, 6, 7, 8],
  [9, 10, 11, 12],
  [13, 14, 15, 16],
  [0, 17, 18, 19, 20],
  [5, 9, 13, 17],
].flatMap((joints) => joints.slice(1).map((joint, k) => [joints[k]!, joint] as const));

/** Outline of the palm. */
const PALM = [0, 1, 2, 5, 9, 13, 17];

/** Half the thickness of a finger at its joints, from the base to the tip, in palms. */
const HALF_THICKNESS_PALMS = [0.12, 0.11, 0.105, 0.09];
/** Half the thickness of the palm's edge and the wrist, in palms. */
const WRIST_HALF_THICKNESS_PALMS = 0.14;

/** The part of the picture to draw on. */
export interface DrawingPlace {
  /** Corner in the picture. */
  readonly x: number;
  readonly y: number;
  /** Number of pixels of the drawing per pixel of the picture. */
  readonly scale: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws hands with the thickness of real hands, white on black, with edges one pixel soft.
 * @param thickness multiple of a hand's own thickness
 */
export function drawHands(
  hands: readonly Hand[],
  { x, y, scale, width, height }: DrawingPlace,
  thickness: number,
): RgbImage {
  const covered = new Float32Array(width * height);
  for (const hand of hands) {
    const points = hand.landmarks.map((value, k) => (value - (k % 2 === 0 ? x : y)) * scale);
    const palm = palmLength(hand) * scale * thickness;
    for (const [a, b] of BONES)
      drawBone(points, a, b, halfThickness(a) * palm, halfThickness(b) * palm, covered, width, height);
    fillPalm(points, covered, width, height);
  }
  return greyImage(covered, width, height);
}

/** Makes a grey image from a plane of 0..1, white on black. */
function greyImage(plane: Float32Array, width: number, height: number): RgbImage {
  const data = new Uint8Array(3 * plane.length);
  for (let i = 0; i < plane.length; i++) data.fill(Math.round(255 * plane[i]!), 3 * i, 3 * i + 3);
  return { data, width, height };
}

/** Returns half the thickness at a joint, in palms. */
function halfThickness(joint: number): number {
  return joint === 0 ? WRIST_HALF_THICKNESS_PALMS : HALF_THICKNESS_PALMS[(joint - 1) % 4]!;
}

/** Draws a bar with round ends. Each end has its own thickness. */
function drawBone(
  points: Float32Array,
  a: number,
  b: number,
  radiusA: number,
  radiusB: number,
  covered: Float32Array,
  width: number,
  height: number,
): void {
  const ax = points[2 * a]!;
  const ay = points[2 * a + 1]!;
  const dx = points[2 * b]! - ax;
  const dy = points[2 * b + 1]! - ay;
  const lengthSquared = Math.max(1e-6, dx * dx + dy * dy);
  const reach = Math.max(radiusA, radiusB) + 1;
  const left = Math.max(0, Math.floor(Math.min(ax, ax + dx) - reach));
  const right = Math.min(width, Math.ceil(Math.max(ax, ax + dx) + reach));
  const top = Math.max(0, Math.floor(Math.min(ay, ay + dy) - reach));
  const bottom = Math.min(height, Math.ceil(Math.max(ay, ay + dy) + reach));
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const px = column + 0.5 - ax;
      const py = row + 0.5 - ay;
      const along = clamp((px * dx + py * dy) / lengthSquared, 0, 1);
      const distance = Math.hypot(px - along * dx, py - along * dy);
      const inside = radiusA + along * (radiusB - radiusA) - distance + 0.5;
      const at = row * width + column;
      if (inside > covered[at]!) covered[at] = Math.min(1, inside);
    }
  }
}

/** Fills the palm's outline. Its points may be in either direction. */
function fillPalm(points: Float32Array, covered: Float32Array, width: number, height: number): void {
  for (let row = 0; row < height; row++) {
    const crossings = [];
    for (let k = 0; k < PALM.length; k++) {
      const a = 2 * PALM[k]!;
      const b = 2 * PALM[(k + 1) % PALM.length]!;
      const from = points[a + 1]! - row - 0.5;
      const to = points[b + 1]! - row - 0.5;
      if (from > 0 !== to > 0) crossings.push(points[a]! + ((points[b]! - points[a]!) * from) / (from - to));
    }
    crossings.sort((a, b) => a - b);
    for (let k = 0; k + 1 < crossings.length; k += 2)
      covered.fill(
        1,
        row * width + clamp(Math.round(crossings[k]!), 0, width),
        row * width + clamp(Math.round(crossings[k + 1]!), 0, width),
      );
  }
}

/** Returns whether a hand reaches into a box. */
export function reachesInto(
  { landmarks }: Hand,
  box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
  margin: number,
): boolean {
  for (let k = 0; k < HAND_LANDMARK_COUNT; k++) {
    const x = landmarks[2 * k]!;
    const y = landmarks[2 * k + 1]!;
    if (x > box.left - margin && x < box.right + margin && y > box.top - margin && y < box.bottom + margin)
      return true;
  }
  return false;
}

import { LANDMARK_COUNT } from '../face/geometry/face.ts';
import type { MeshRecord } from '../face/geometry/mesh-record.ts';
import { deflate, inflate, mustHold } from './packed-bytes.ts';

/** Coordinates of a mesh. */
const COORDINATE_COUNT = LANDMARK_COUNT * 3;
/** Numbers that say where a mesh is: x, y, size. */
const PLACE_NUMBERS = 3;
/** Farthest that a face can be from a frame's corner, and its largest size, pixels. */
const MAX_PIXELS = 1e6;

/**
 * Compresses the shapes of meshes, each as what it differs by from the one before: about a kilobyte
 * a mesh.
 */
export function packPoints(meshes: readonly MeshRecord[]): Buffer {
  // Low bytes first, high bytes after them: those are nearly all alike.
  const bytes = new Uint8Array(2 * meshes.length * COORDINATE_COUNT);
  const half = bytes.length / 2;
  let before: Int16Array | null = null;
  let at = 0;
  for (const { points } of meshes) {
    for (let i = 0; i < COORDINATE_COUNT; i++, at++) {
      const step = ((points[i]! - (before?.[i] ?? 0)) << 16) >> 16;
      const folded = (step << 1) ^ (step >> 15);
      bytes[at] = folded & 0xff;
      bytes[half + at] = (folded >> 8) & 0xff;
    }
    before = points;
  }
  return deflate(bytes);
}

/**
 * Returns the shapes of `count` meshes.
 * @throws Error if the block holds something else
 */
export function unpackPoints(block: Uint8Array, count: number): Int16Array[] {
  const bytes = inflate(block, 2 * count * COORDINATE_COUNT);
  const half = bytes.length / 2;
  const meshes: Int16Array[] = [];
  for (let k = 0, at = 0; k < count; k++) {
    const points = new Int16Array(COORDINATE_COUNT);
    const before = meshes[k - 1];
    for (let i = 0; i < COORDINATE_COUNT; i++, at++) {
      const folded = bytes[at]! | (bytes[half + at]! << 8);
      points[i] = (folded >> 1) ^ -(folded & 1);
      if (before !== undefined) points[i]! += before[i]!;
    }
    meshes.push(points);
  }
  return meshes;
}

/** Compresses where meshes are, exactly. */
export function packPlaces(places: readonly Omit<MeshRecord, 'points'>[]): Buffer {
  const numbers = Float64Array.from(places.flatMap(({ x, y, size }) => [x, y, size]));
  return deflate(new Uint8Array(numbers.buffer));
}

/**
 * Returns where `count` meshes are.
 * @throws Error if the block holds something else
 */
export function unpackPlaces(block: Uint8Array, count: number): Omit<MeshRecord, 'points'>[] {
  const numbers = new Float64Array(inflate(block, 8 * PLACE_NUMBERS * count).buffer);
  mustHold(numbers.every((value) => Math.abs(value) <= MAX_PIXELS));
  return Array.from({ length: count }, (_, k) => {
    const [x, y, size] = numbers.subarray(PLACE_NUMBERS * k, PLACE_NUMBERS * (k + 1)) as unknown as number[];
    mustHold(size! > 0);
    return { x: x!, y: y!, size: size! };
  });
}

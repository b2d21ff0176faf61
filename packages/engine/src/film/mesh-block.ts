import { LANDMARK_COUNT } from '../face/geometry/face.ts';
import type { MeshRecord } from '../face/geometry/mesh-record.ts';
import { deflate, inflate, mustHold } from './packed-bytes.ts';

/** Number of coordinates of a mesh. */
const COORDINATE_COUNT = LANDMARK_COUNT * 3;
/** Number of values of a mesh's place: x, y, size. */
const PLACE_NUMBERS = 3;
/** Largest distance of a face from a frame's corner, and its largest size, pixels. */
const MAX_PIXELS = 1e6;

/**
 * Compresses the shapes of meshes, each as its difference from the previous one. A mesh takes about
 * a kilobyte.
 */
export function packPoints(meshes: readonly MeshRecord[]): Buffer {
  // The low bytes come first, then the high bytes, which are nearly all equal.
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
 * @throws Error if the block has other content
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

/** Compresses the places of meshes without loss. */
export function packPlaces(places: readonly Omit<MeshRecord, 'points'>[]): Buffer {
  const numbers = Float64Array.from(places.flatMap(({ x, y, size }) => [x, y, size]));
  return deflate(new Uint8Array(numbers.buffer));
}

/**
 * Returns the places of `count` meshes.
 * @throws Error if the block has other content
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

import { noise } from './case-noise.ts';

/**
 * One kernel and its reference version, each with its own copy of the same data, for the tests and
 * the bench.
 */
export interface KernelCase {
  readonly name: string;
  readonly pixels: number;
  /** Smallest number of bytes that must be read and written. */
  readonly bytes: number;
  /**
   * Largest difference between the results of both versions: a share of the reference's largest
   * value, or levels for 8-bit results.
   */
  readonly tolerance: number;
  readonly kernel: () => readonly (Float32Array | Uint8Array)[];
  readonly reference: () => readonly (Float32Array | Uint8Array)[];
}

/** Allocates a case's arrays, in ordinary memory or in a `Workspace`. */
export interface ArrayMaker {
  floats(count: number): Float32Array;
  bytes(count: number): Uint8Array;
}

/** Usual tolerance of a case, as a share of the largest value. */
export const RELATIVE = 1e-5;

/** Makes two planes of equal noise: one for the kernel, one for its reference version. */
export function twoPlanes(make: ArrayMaker, count: number): [Float32Array, Float32Array] {
  return [noise(make.floats(count), 3), noise(make.floats(count), 3)];
}

/** Makes a plane of weights from 0 to 1, about half of them 0. */
export function weights(make: ArrayMaker, count: number): Float32Array {
  const plane = noise(make.floats(count), 9);
  for (let i = 0; i < count; i++) plane[i] = Math.max(0, plane[i]! / 128 - 1);
  return plane;
}

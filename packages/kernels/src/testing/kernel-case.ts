import { noise } from './case-noise.ts';

/** One kernel beside its plain twin, on equal data of its own: for the tests and the bench. */
export interface KernelCase {
  readonly name: string;
  readonly pixels: number;
  /** What must be read and written at least once. */
  readonly bytes: number;
  /**
   * How far results may be from the twin's, in shares of the twin's largest value; of 8-bit results
   * in levels.
   */
  readonly tolerance: number;
  readonly kernel: () => readonly (Float32Array | Uint8Array)[];
  readonly twin: () => readonly (Float32Array | Uint8Array)[];
}

/** Where a case's arrays lie: ordinary memory, or a `Workspace`. */
export interface ArrayMaker {
  floats(count: number): Float32Array;
  bytes(count: number): Uint8Array;
}

/** The usual tolerance of a case: shares of the twin's largest value. */
export const RELATIVE = 1e-5;

/** Makes two planes of equal noise: one for the kernel, one for its twin. */
export function twoPlanes(make: ArrayMaker, count: number): [Float32Array, Float32Array] {
  return [noise(make.floats(count), 3), noise(make.floats(count), 3)];
}

/** Makes a plane of weights from 0 to 1, about half of them 0. */
export function weights(make: ArrayMaker, count: number): Float32Array {
  const plane = noise(make.floats(count), 9);
  for (let i = 0; i < count; i++) plane[i] = Math.max(0, plane[i]! / 128 - 1);
  return plane;
}

import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';

/** Resizes a square plane from one side to another, both powers of two. Returns a new plane. */
export function resizePlane(plane: Float32Array, from: number, to: number, make: PlaneMaker): Float32Array {
  const out = make.uninitialised(to * to);
  return to < from ? shrinkSquare(plane, from, to, out) : enlargeSquare(plane, from, to / from, out);
}

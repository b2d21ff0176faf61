import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas, AtlasColours } from './atlas.ts';

/** Resizes a square plane from one side to another, both powers of two. Returns a new plane. */
export function resizePlane(plane: Float32Array, from: number, to: number, make: PlaneMaker): Float32Array {
  const out = make.uninitialised(to * to);
  return to < from ? shrinkSquare(plane, from, to, out) : enlargeSquare(plane, from, to / from, out);
}

/** Resizes an atlas's colours alone, into new planes. */
export function resizeColours(atlas: AtlasColours, side: number, make: PlaneMaker): AtlasColours {
  const resized = (plane: Float32Array): Float32Array => resizePlane(plane, atlas.side, side, make);
  return { side, luma: resized(atlas.luma), blue: resized(atlas.blue), red: resized(atlas.red) };
}

/** Resizes an atlas into new planes. */
export function resizeAtlas(atlas: Atlas, side: number, make: PlaneMaker): Atlas {
  return {
    ...resizeColours(atlas, side, make),
    facing: resizePlane(atlas.facing, atlas.side, side, make),
  };
}

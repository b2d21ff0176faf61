import { kernels } from './kernels.ts';
import * as plain from './plain/face-allowance.ts';
import { fetch, fitsStage, lend, room } from './stage.ts';

/** Triangles over a picture: what is at which vertex, and three vertex numbers for each. Coordinates are edge based. */
export interface PlacedTriangles {
  /** x, y of each vertex in the picture. */
  readonly points: Float32Array;
  /** u, v of each vertex in a square plane or texture. */
  readonly texelAt: Float32Array;
  readonly triangles: Uint16Array;
}

/**
 * How much each pixel of a `width` x `height` picture may change, 0..1, written to `out`: 0 outside the triangles, rising inwards
 * over about twice `radius`, and less where `occluded` (a plane of `side` squared, 0..1, or null) has something in front.
 * Triangles that are turned away hide nothing.
 */
export function faceAllowance(
  face: PlacedTriangles,
  width: number,
  height: number,
  radius: number,
  occluded: Float32Array | null,
  side: number,
  out: Float32Array,
): void {
  const { points, texelAt, triangles } = face;
  const count = triangles.length / 3;
  const lineBytes = 4 * (width + 2 * radius + 8);
  const planes = 3 * out.byteLength + (occluded?.byteLength ?? 0);
  if (!fitsStage(planes + lineBytes + 2 * points.byteLength + triangles.byteLength)) {
    plain.faceAllowance(face, width, height, radius, occluded, side, out);
    return;
  }
  const { boxBlur, copy, fadeEdge, fillTriangles, hideBehind } = kernels();
  out.fill(0);
  const mask = lend(out);
  const at = lend(points);
  const corners = lend(triangles);
  fillTriangles(at, corners, count, width, height, mask);
  const depth = room(out.byteLength);
  copy(depth, mask, out.byteLength);
  boxBlur(depth, room(out.byteLength), room(lineBytes), width, height, radius, 2);
  fadeEdge(mask, depth, out.length, plain.EDGE_FROM, plain.EDGE_TO);
  if (occluded !== null)
    hideBehind(at, lend(texelAt), corners, count, width, height, lend(occluded), side, mask);
  fetch(out, mask);
}

import { meshEdges } from '../mesh-edges.ts';
import type { Occluders, PlacedTriangles } from '../plain/face-allowance.ts';
import * as plain from '../plain/face-allowance.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve, reserveFor } from '../wasm/stage.ts';

export type { Occluders } from '../plain/face-allowance.ts';

/**
 * Writes to `out` how much each pixel of a `width` x `height` picture may change, 0..1. The value
 * is 0 outside the triangles, rises inwards over about twice `radius`, and is lower behind an
 * occluder. Occluders on triangles that face away from the viewer have no effect.
 */
export function faceAllowance(
  face: PlacedTriangles,
  width: number,
  height: number,
  radius: number,
  occluders: Occluders | null,
  out: Float32Array,
): void {
  const { points, texelAt, triangles } = face;
  const count = triangles.length / 3;
  const lineBytes = 4 * (width + 2 * radius + 8);
  const countBytes = 2 * height * (width + 8);
  const planes = 3 * out.byteLength + countBytes + (occluders?.plane.byteLength ?? 0);
  const edges = meshEdges(triangles);
  const small = 2 * (points.byteLength + triangles.byteLength) + edges.byteLength + count;
  if (!fitsStage(planes + lineBytes + small)) {
    plain.faceAllowance(face, width, height, radius, occluders, out);
    return;
  }
  const { boxBlur, coverTriangles, fadeEdge, hideBehind } = kernels();
  const mask = reserveFor(out);
  const at = copyIn(points);
  const depth = reserve(out.byteLength);
  coverTriangles(
    at,
    copyIn(triangles),
    count,
    copyIn(edges),
    edges.length / 4,
    width,
    height,
    reserve(count),
    reserve(countBytes),
    mask,
    depth,
  );
  boxBlur(depth, reserve(out.byteLength), reserve(lineBytes), width, height, radius, 2);
  fadeEdge(mask, depth, out.length, plain.EDGE_FROM, plain.EDGE_TO);
  if (occluders !== null) {
    const { plane, side, triangles: under } = occluders;
    hideBehind(
      at,
      copyIn(texelAt),
      copyIn(under),
      under.length / 3,
      width,
      height,
      copyIn(plane),
      side,
      mask,
    );
  }
  copyOut(out, mask);
}

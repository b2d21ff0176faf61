import type { RgbImage } from '../image.ts';
import { spreadTexels as plainSpreadTexels, type TexelCorners } from '../plain/spread-texels.ts';
import type { SpreadPlanes } from '../plain/spread-triangles.ts';
import { planeOfTriangle } from '../triangle-plane.ts';
import type { TriangleSpans } from '../triangle-spans.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage } from '../wasm/stage.ts';
import type { PlaneMaker } from '../workspace.ts';
import { REC_601 } from './spread-triangles.ts';

/**
 * Finds the triangle and the barycentric shares of every texel of a plane.
 * @param side of the plane, a multiple of 4
 * @param points x, y of each vertex in the plane
 * @param make allocates the shares, which are read most often
 */
export function texelCorners(
  side: number,
  spans: TriangleSpans,
  points: Float32Array,
  triangles: Uint16Array,
  make: PlaneMaker,
): TexelCorners {
  const triangleOf = trianglesOf(side, spans);
  const groups: number[] = [];
  for (let i = 0; i < side * side; i += 4)
    if (triangleOf.subarray(i, i + 4).some((t) => t >= 0)) groups.push(i);
  const corners = new Uint16Array(12 * groups.length);
  const shares = make.floats(12 * groups.length);
  const plane = new Float64Array(3);
  /** Values at the vertices: 1 at the corner whose share is being computed, 0 at all others. */
  const isCorner = new Float32Array(points.length / 2);
  for (const [k, group] of groups.entries()) {
    for (let i = group; i < group + 4; i++) {
      const t = triangleOf[i]!;
      if (t < 0) continue;
      const abc = triangles.subarray(3 * t, 3 * t + 3);
      const to = 12 * k + 3 * (i - group);
      corners.set(abc, to);
      for (let corner = 0; corner < 3; corner++) {
        isCorner[abc[corner]!] = 1;
        planeOfTriangle(points, abc[0]!, abc[1]!, abc[2]!, isCorner, 1, 0, plane, 0);
        isCorner[abc[corner]!] = 0;
        shares[to + corner] =
          plane[0]! * ((i % side) + 0.5) + plane[1]! * (Math.floor(i / side) + 0.5) + plane[2]!;
      }
    }
  }
  return { first: Uint32Array.from(groups), corners, shares };
}

/** Returns the number of each texel's triangle, or -1 if there is none. */
function trianglesOf(side: number, { first, row, left, right }: TriangleSpans): Int16Array {
  const triangleOf = new Int16Array(side * side).fill(-1);
  for (let t = 0; t + 1 < first.length; t++)
    for (let run = first[t]!; run < first[t + 1]!; run++)
      triangleOf.fill(t, row[run]! * side + left[run]!, row[run]! * side + right[run]!);
  return triangleOf;
}

/**
 * Draws an image into a plane like `spreadTriangles`, for planes so small that most triangles cover
 * only a texel or two. Each texel finds its own place in the image. Whole groups are written, with
 * 0 where there is no triangle. Texels outside all groups are kept.
 *
 * @param vertices x, y in the image (edge based), the value and 1, for each vertex
 */
export function spreadTexels(
  texels: TexelCorners,
  vertices: Float32Array,
  image: RgbImage,
  out: SpreadPlanes,
): void {
  const { first, corners, shares } = texels;
  const planes = [out.luma, out.blue, out.red, out.value];
  const table = first.byteLength + corners.byteLength + shares.byteLength + vertices.byteLength;
  if (!fitsStage(16 * out.luma.length + image.data.length + table)) {
    plainSpreadTexels(texels, vertices, image, out);
    return;
  }
  const addresses = planes.map(copyIn);
  kernels().spreadTexels(
    first.length,
    copyIn(first),
    copyIn(corners),
    copyIn(shares),
    copyIn(vertices),
    copyIn(image.data),
    image.width,
    image.height,
    ...addresses,
    ...REC_601,
  );
  for (const [k, plane] of planes.entries()) copyOut(plane, addresses[k]!);
}

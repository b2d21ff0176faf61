import type { RgbImage } from '@guise/kernels/image.ts';
import { shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { clearRuns } from '@guise/kernels/face/clear-runs.ts';
import { spreadTriangles } from '@guise/kernels/face/spread-triangles.ts';
import type { ImagePart } from '@guise/kernels/face/spread-triangles.ts';
import { levelForStep } from '@guise/kernels/scale/warp.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { boxOfPoints } from '../../face/geometry/box.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import type { AtlasGeometry } from './atlas-geometry.ts';
import { perLayout } from './atlas-layout.ts';
import { planeOfTriangle } from '@guise/kernels/triangle-plane.ts';
import { vertexFacing } from './vertex-facing.ts';
import { clamp } from '@guise/kernels/clamp.ts';

/**
 * Luma levels added to both sides of a ratio of lumas, so that noise in dark places does not count
 * as contrast.
 */
export const LUMA_NOISE_FLOOR = 8;

/**
 * A face unwrapped into a plane, `side` x `side`, row by row. Colours are luma 0..255 (Rec. 601)
 * and two colour differences around 0: blue = 0.564 (B - Y), red = 0.713 (R - Y). Texels outside
 * the mesh are 0.
 */
export interface Atlas {
  readonly side: number;
  readonly luma: Float32Array;
  readonly blue: Float32Array;
  readonly red: Float32Array;
  /** Cosine of the angle between the surface's normal and the camera; 0 sideways or turned away. */
  readonly facing: Float32Array;
}

/**
 * Unwraps a face into its atlas. Each triangle is sampled bilinearly on the pyramid level that
 * suits its own scale, so that a huge face does not alias. `landmarks` are x, y, z in pixels of the
 * image, edge based.
 */
export function unwrapFace(
  layout: AtlasGeometry,
  pyramid: ImagePyramid,
  landmarks: Float32Array,
  make: PlaneMaker = ordinaryPlanes,
): Atlas {
  const { side, triangles, spans } = layout;
  const count = triangles.length / 3;
  const atVertex = vertexFacing(landmarks, triangles);
  const { maps, partOf } = mapsOf(layout);
  const parts: ImagePart[] = [];
  const partOfLevel = new Map<number, number>();
  for (let t = 0; t < count; t++) {
    const { image, number } = pyramid.level(mapTriangle(layout, landmarks, atVertex, t, maps));
    const shrink = 1 / (1 << number);
    for (let i = 9 * t; i < 9 * t + 6; i++) maps[i]! *= shrink;
    let part = partOfLevel.get(number);
    if (part === undefined) {
      part = parts.push(partAround(landmarks, image, shrink)) - 1;
      partOfLevel.set(number, part);
    }
    partOf[t] = part;
  }
  const planes = [0, 1, 2, 3].map(() => emptyOutside(layout, make));
  const [luma, blue, red, facing] = planes as [Float32Array, Float32Array, Float32Array, Float32Array];
  spreadTriangles(spans, { parts, partOf, maps }, { side, luma, blue, red, value: facing });
  return { side, luma, blue, red, facing };
}

/** Makes a plane that is 0 outside all triangles, and uninitialised inside. */
function emptyOutside(layout: AtlasGeometry, make: PlaneMaker): Float32Array {
  const plane = make.uninitialised(layout.side * layout.side);
  clearRuns(plane, gapsOf(layout));
  return plane;
}

/**
 * Runs of texels that no triangle covers. Each run has its first texel, and the first texel after
 * it.
 */
const gapsOf = perLayout(({ side, spans }: AtlasGeometry): Uint32Array => {
  const isCovered = new Uint8Array(side * side);
  for (let run = 0; run < spans.row.length; run++) {
    const row = spans.row[run]! * side;
    isCovered.fill(1, row + spans.left[run]!, row + spans.right[run]!);
  }
  const gaps: number[] = [];
  for (let i = 0; i < isCovered.length; i++)
    if ((isCovered[i] === 0) !== (gaps.length % 2 === 1)) gaps.push(i);
  if (gaps.length % 2 === 1) gaps.push(isCovered.length);
  return Uint32Array.from(gaps);
});

/** Maps that every face overwrites. A face reads them only during its own unwrapping. */
const mapsOf = perLayout(({ triangles }: AtlasGeometry) => ({
  maps: new Float64Array(3 * triangles.length),
  partOf: new Uint8Array(triangles.length / 3),
}));

/**
 * Writes the map of triangle `t`, in pixels of the image itself.
 * @returns the pyramid level that suits the triangle
 */
function mapTriangle(
  { points, triangles }: AtlasGeometry,
  landmarks: Float32Array,
  atVertex: Float32Array,
  t: number,
  maps: Float64Array,
): number {
  const a = triangles[3 * t]!;
  const b = triangles[3 * t + 1]!;
  const c = triangles[3 * t + 2]!;
  const to = 9 * t;
  for (let k = 0; k < 2; k++) planeOfTriangle(points, a, b, c, landmarks, 3, k, maps, to + 3 * k);
  planeOfTriangle(points, a, b, c, atVertex, 1, 0, maps, to + 6);
  const turned = maps[to]! * maps[to + 4]! - maps[to + 1]! * maps[to + 3]!;
  return levelForStep(Math.sqrt(Math.abs(turned)));
}

/** Returns the part of a level that triangles between the landmarks may sample. */
function partAround(landmarks: Float32Array, image: RgbImage, shrink: number): ImagePart {
  const box = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
  const left = clamp(Math.floor(box.left * shrink - 2), 0, image.width - 1);
  const top = clamp(Math.floor(box.top * shrink - 2), 0, image.height - 1);
  const right = clamp(Math.floor(box.right * shrink + 2), 0, image.width - 1);
  const bottom = clamp(Math.floor(box.bottom * shrink + 2), 0, image.height - 1);
  return { image, x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Shrinks an atlas. Both sides are powers of two. */
export function shrinkAtlas(atlas: Atlas, side: number, make: PlaneMaker = ordinaryPlanes): Atlas {
  const facing = shrinkSquare(atlas.facing, atlas.side, side, make.uninitialised(side * side));
  return { ...shrinkColours(atlas, side, make), facing };
}

/** An atlas without the plane `facing`. */
export type AtlasColours = Omit<Atlas, 'facing'>;

/** Shrinks an atlas's colours alone. Both sides are powers of two. */
export function shrinkColours(
  atlas: AtlasColours,
  side: number,
  make: PlaneMaker = ordinaryPlanes,
): AtlasColours {
  const count = side * side;
  return {
    side,
    luma: shrinkSquare(atlas.luma, atlas.side, side, make.uninitialised(count)),
    blue: shrinkSquare(atlas.blue, atlas.side, side, make.uninitialised(count)),
    red: shrinkSquare(atlas.red, atlas.side, side, make.uninitialised(count)),
  };
}

/** Copies an atlas's colours. */
export function copyColours({ side, luma, blue, red }: AtlasColours, make: PlaneMaker): AtlasColours {
  return { side, luma: make.copyOf(luma), blue: make.copyOf(blue), red: make.copyOf(red) };
}

/** Copies an atlas into ordinary memory. */
export function copyAtlas({ side, luma, blue, red, facing }: Atlas): Atlas {
  return { side, luma: luma.slice(), blue: blue.slice(), red: red.slice(), facing: facing.slice() };
}

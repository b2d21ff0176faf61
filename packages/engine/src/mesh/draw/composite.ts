import { drawTriangles, PAINTED, STILL } from '@guise/kernels/face/draw-triangles.ts';
import type { PackedTexture } from '@guise/kernels/face/draw-triangles.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { triangleSpans } from '@guise/kernels/triangle-spans.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { allowanceOf } from './allowance.ts';
import type { Region } from './allowance.ts';
import { softenContours } from './soften-contours.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';
import { planeOfTriangle } from '@guise/kernels/triangle-plane.ts';

/** The swapped face to draw. */
export interface FaceTexture extends PackedTexture {
  /** Standard deviation of the grain to add, levels of luma. */
  readonly grain: number;
  /** Seed of the grain. Each frame of a video has another seed, so that the grain moves. */
  readonly grainSeed?: number;
  /**
   * Share of each texel that stays in front of the face, 0..1, in the target's atlas; null for
   * none.
   */
  readonly occluded: Float32Array | null;
}

/**
 * Draws the texture into `data`, by default a copy of the target's pixels, over the mesh
 * `landmarks` (468 x (x, y, z), target pixels). Also moves the target's own pixels from `original`
 * (the target's true mesh) to that mesh, so that eyes and mouth follow the new proportions. Things
 * in front of the face keep the target's pixels, unmoved. Triangles that face away are skipped, and
 * nearer ones are drawn later, with soft contours. Only pixels whose centre is inside the original
 * mesh are written; all others keep every bit.
 */
export function compositeFace(
  target: RgbImage,
  layout: AtlasGeometry,
  texture: FaceTexture,
  original: Float32Array,
  landmarks: Float32Array,
  make: PlaneMaker = ordinaryPlanes,
  data: Uint8Array = new Uint8Array(target.data),
): RgbImage {
  const { width, height } = target;
  const { triangles, points } = layout;
  const area = regionOf(original, width, height);
  if (area.width <= 0 || area.height <= 0) return { data, width, height };
  const allowance = allowanceOf(inRegion(original, area), layout, area, texture.occluded, make);
  const corners = inRegion(landmarks, area);
  const shown = drawingOrder(landmarks, triangles, points);
  const order = cornersOf(shown, triangles);
  const spans = triangleSpans(corners, order, area.width, area.height);

  const maps = mapsOf(corners, order, points, original);
  const flags = flagsOf(shown, order, layout, original, landmarks);
  const { grain, grainSeed = 0 } = texture;
  drawTriangles({ texture, target, area, spans, maps, flags, allowance, grain, grainSeed }, data);
  const isShown = new Uint8Array(triangles.length / 3);
  for (const triangle of shown) isShown[triangle] = 1;
  const isPainted = (texel: number): boolean => texture.rgba[4 * texel + 3]! > 0;
  const pixels = {
    ...area,
    data: data.subarray(3 * (area.y * width + area.x)),
    stride: 3 * width,
    channels: 3,
  };
  softenContours(pixels, layout, { points: corners, isShown, isPainted, allowance });
  return { data, width, height };
}

/** Returns the whole pixels around the mesh, inside the image. */
export function regionOf(mesh: Float32Array, width: number, height: number): Region {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let v = 0; v < 468; v++) {
    left = Math.min(left, mesh[3 * v]!);
    right = Math.max(right, mesh[3 * v]!);
    top = Math.min(top, mesh[3 * v + 1]!);
    bottom = Math.max(bottom, mesh[3 * v + 1]!);
  }
  const x = Math.max(0, Math.floor(left));
  const y = Math.max(0, Math.floor(top));
  return {
    x,
    y,
    width: Math.min(width, Math.ceil(right)) - x,
    height: Math.min(height, Math.ceil(bottom)) - y,
  };
}

/** Returns x and y of the mesh's vertices in a region's pixels. */
export function inRegion(mesh: Float32Array, area: Region): Float32Array {
  const points = new Float32Array(468 * 2);
  for (let v = 0; v < 468; v++) {
    points[2 * v] = mesh[3 * v]! - area.x;
    points[2 * v + 1] = mesh[3 * v + 1]! - area.y;
  }
  return points;
}

/** Returns the numbers of the triangles that face the camera, far ones first. */
function drawingOrder(mesh: Float32Array, triangles: Uint16Array, uv: Float32Array): Uint16Array {
  const depths = new Float64Array(triangles.length / 3);
  const shown = new Uint16Array(depths.length);
  let count = 0;
  for (let t = 0; t < depths.length; t++) {
    const a = triangles[3 * t]!;
    const b = triangles[3 * t + 1]!;
    const c = triangles[3 * t + 2]!;
    if (turn(mesh, 3, a, b, c) * turn(uv, 2, a, b, c) <= 0) continue;
    depths[t] = mesh[3 * a + 2]! + mesh[3 * b + 2]! + mesh[3 * c + 2]!;
    shown[count++] = t;
  }
  // Compares signs because V8 boxes a difference. At equal depths, the lower number stays first.
  return shown.subarray(0, count).sort((p, q) => Math.sign(depths[q]! - depths[p]!));
}

function cornersOf(shown: Uint16Array, triangles: Uint16Array): Uint16Array {
  const corners = new Uint16Array(shown.length * 3);
  for (let k = 0; k < shown.length; k++)
    for (let corner = 0; corner < 3; corner++) corners[3 * k + corner] = triangles[3 * shown[k]! + corner]!;
  return corners;
}

/** Makes the maps of a `Drawing`. */
function mapsOf(
  corners: Float32Array,
  order: Uint16Array,
  points: Float32Array,
  original: Float32Array,
): Float64Array {
  const maps = new Float64Array(4 * order.length);
  for (let at = 0, t = 0; t < order.length; t += 3, at += 12) {
    const a = order[t]!;
    const b = order[t + 1]!;
    const c = order[t + 2]!;
    for (let k = 0; k < 2; k++) {
      planeOfTriangle(corners, a, b, c, points, 2, k, maps, at + 3 * k);
      planeOfTriangle(corners, a, b, c, original, 3, k, maps, at + 6 + 3 * k);
    }
  }
  return maps;
}

/** Makes the flags of a `Drawing`. */
function flagsOf(
  shown: Uint16Array,
  order: Uint16Array,
  { isMouth }: AtlasGeometry,
  original: Float32Array,
  landmarks: Float32Array,
): Uint8Array {
  const flags = new Uint8Array(shown.length);
  for (let t = 0; t < flags.length; t++) {
    // The target's own teeth and tongue show between the lips.
    if (isMouth[shown[t]!] === 0) flags[t]! |= PAINTED;
    if (
      isStill(original, landmarks, order[3 * t]!) &&
      isStill(original, landmarks, order[3 * t + 1]!) &&
      isStill(original, landmarks, order[3 * t + 2]!)
    )
      flags[t]! |= STILL;
  }
  return flags;
}

function turn(points: Float32Array, stride: number, a: number, b: number, c: number): number {
  const x = points[stride * a]!;
  const y = points[stride * a + 1]!;
  return (
    (points[stride * b]! - x) * (points[stride * c + 1]! - y) -
    (points[stride * b + 1]! - y) * (points[stride * c]! - x)
  );
}

function isStill(original: Float32Array, moved: Float32Array, v: number): boolean {
  return original[3 * v] === moved[3 * v]! && original[3 * v + 1] === moved[3 * v + 1]!;
}

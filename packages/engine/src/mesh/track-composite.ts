import { boxBlur } from '@guise/kernels/box-blur.ts';
import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { triangleSpans } from '@guise/kernels/triangle-spans.ts';
import type { TriangleSpans } from '@guise/kernels/triangle-spans.ts';
import { MESH_VERTEX_COUNT } from '../face/face.ts';
import { EDGE_SHARE, keepInFront } from './allowance.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { grainAt, OPAQUE } from './composite.ts';
import { planeOfTriangle } from './triangle-plane.ts';

/** The swapped face of one frame as it will be drawn. */
export interface TrackPicture {
  /** `side * side * 4` values: luma, blue and red difference as the frame stores them, opacity 0..1. */
  readonly texels: Float32Array;
  /** Standard deviation of the grain to add, steps of luma. */
  readonly grain: number;
  /** Of the frame, so that the grain does not stand still. */
  readonly grainSeed: number;
  /** What stays in front of the face, 0..1, in the target's own atlas; null where nothing does. */
  readonly occluded: Float32Array | null;
}

/** Of one triangle: texel u and v, source x and y, three numbers each (`planeOfTriangle`). */
const MAP = 12;
const U = 0;
const V = 3;
const X = 6;
const Y = 9;

/**
 * `compositeFace` for a video: the same picture, drawn into the frame's own planes. Luma is drawn pixel for pixel, chroma
 * where it has samples, so nothing goes through RGB and half as many values are drawn. What is not drawn over keeps its bits.
 * Its buffers last from frame to frame.
 */
export class TrackComposite {
  readonly #layout: AtlasLayout;
  /** Triangles from far to near as they were in the frame before: hardly any changes places. */
  readonly #order: Uint16Array;
  readonly #depth: Float32Array;
  readonly #shown: Uint16Array;
  readonly #maps: Float64Array;
  readonly #flags: Uint8Array;
  readonly #map = new Float64Array(3);
  readonly #corners = new Float32Array(MESH_VERTEX_COUNT * 2);
  readonly #source = new Float32Array(MESH_VERTEX_COUNT * 2);
  #allowance = new Float32Array(0);
  #edge = new Float32Array(0);
  #scratch = new Float32Array(0);
  #before = new Uint8Array(0);

  constructor(layout: AtlasLayout) {
    const count = layout.triangles.length / 3;
    this.#layout = layout;
    this.#order = Uint16Array.from({ length: count }, (_, t) => t);
    this.#depth = new Float32Array(count);
    this.#shown = new Uint16Array(count * 3);
    this.#maps = new Float64Array(count * MAP);
    this.#flags = new Uint8Array(count);
  }

  /**
   * Draws over the mesh `landmarks` and carries the target's own pixels along from `original`, the target's true mesh: both 468 x
   * (x, y, z) in pixels of the planes' part. Only pixels whose centre lies inside the true mesh change.
   */
  draw(planes: FramePlanes, picture: TrackPicture, original: Float32Array, landmarks: Float32Array): void {
    const { width, height, chromaIsHalved } = planes;
    flatten(landmarks, this.#corners);
    flatten(original, this.#source);
    const count = this.#arrange(landmarks);
    this.#allow(width, height, picture.occluded);
    this.#mapTriangles(count, original, landmarks);
    const corners = this.#corners;
    const shown = this.#shown.subarray(0, 3 * count);
    const spans = triangleSpans(corners, shown, width, height);
    this.#drawPlane(planes, 0, width, height, spans, picture);
    if (!chromaIsHalved) {
      this.#drawPlane(planes, 1, width, height, spans, picture);
      this.#drawPlane(planes, 2, width, height, spans, picture);
      return;
    }
    const halfWidth = (width + 1) >> 1;
    const halfHeight = (height + 1) >> 1;
    this.#halve(count, width, height);
    const halfSpans = triangleSpans(corners, shown, halfWidth, halfHeight);
    this.#drawPlane(planes, 1, halfWidth, halfHeight, halfSpans, picture);
    this.#drawPlane(planes, 2, halfWidth, halfHeight, halfSpans, picture);
  }

  /** The corners of the triangles that face the camera, far ones first, to `#shown`. @returns how many there are */
  #arrange(mesh: Float32Array): number {
    const { triangles, points } = this.#layout;
    const order = this.#order;
    const depth = this.#depth;
    for (let t = 0, i = 0; t < depth.length; t++, i += 3)
      depth[t] =
        mesh[3 * triangles[i]! + 2]! + mesh[3 * triangles[i + 1]! + 2]! + mesh[3 * triangles[i + 2]! + 2]!;
    for (let k = 1; k < order.length; k++) {
      const t = order[k]!;
      const own = depth[t]!;
      let at = k;
      for (; at > 0 && depth[order[at - 1]!]! < own; at--) order[at] = order[at - 1]!;
      order[at] = t;
    }
    let count = 0;
    for (let k = 0; k < order.length; k++) {
      const i = 3 * order[k]!;
      const a = triangles[i]!;
      const b = triangles[i + 1]!;
      const c = triangles[i + 2]!;
      if (turn(this.#corners, a, b, c) * turn(points, a, b, c) <= 0) continue;
      // Between the lips are the target's own teeth and tongue.
      this.#shown[3 * count] = a;
      this.#shown[3 * count + 1] = b;
      this.#shown[3 * count + 2] = c;
      this.#flags[count] = this.#layout.isMouth[order[k]!] === 0 ? 0 : UNPAINTED;
      count += 1;
    }
    return count;
  }

  /** As `allowanceOf`, to `#allowance`. */
  #allow(width: number, height: number, occluded: Float32Array | null): void {
    const count = width * height;
    if (this.#allowance.length < count) {
      this.#allowance = new Float32Array(count);
      this.#edge = new Float32Array(count);
      this.#scratch = new Float32Array(count);
      this.#before = new Uint8Array(count);
    }
    const allowance = this.#allowance.fill(0, 0, count);
    const points = this.#source;
    const { triangles } = this.#layout;
    const spans = triangleSpans(points, triangles, width, height);
    for (let run = 0; run < spans.row.length; run++) {
      const start = spans.row[run]! * width;
      allowance.fill(1, start + spans.left[run]!, start + spans.right[run]!);
    }
    const edge = this.#edge;
    edge.set(allowance.subarray(0, count));
    let left = Infinity;
    let right = -Infinity;
    for (let i = 0; i < points.length; i += 2) {
      left = Math.min(left, points[i]!);
      right = Math.max(right, points[i]!);
    }
    const radius = Math.max(1, Math.round(Math.min(width, right - left) * EDGE_SHARE));
    boxBlur(edge, this.#scratch, width, height, radius, 2);
    for (let i = 0; i < count; i++) {
      const inside = edge[i]!;
      if (allowance[i] === 1 && inside < WELL_INSIDE) allowance[i] = smoothstep(0.5, WELL_INSIDE, inside);
    }
    if (occluded !== null) keepInFront(allowance, width, points, this.#layout, spans, occluded);
  }

  #mapTriangles(count: number, original: Float32Array, moved: Float32Array): void {
    const { points } = this.#layout;
    const corners = this.#corners;
    const source = this.#source;
    for (let t = 0; t < count; t++) {
      const a = this.#shown[3 * t]!;
      const b = this.#shown[3 * t + 1]!;
      const c = this.#shown[3 * t + 2]!;
      this.#keep(t, U, corners, a, b, c, points, 0);
      this.#keep(t, V, corners, a, b, c, points, 1);
      this.#keep(t, X, corners, a, b, c, source, 0);
      this.#keep(t, Y, corners, a, b, c, source, 1);
      if (isStill(original, moved, a) && isStill(original, moved, b) && isStill(original, moved, c))
        this.#flags[t]! |= STILL;
    }
  }

  #keep(
    t: number,
    which: number,
    corners: Float32Array,
    a: number,
    b: number,
    c: number,
    values: Float32Array,
    axis: number,
  ): void {
    const map = this.#map;
    planeOfTriangle(
      corners,
      2,
      a,
      b,
      c,
      values[2 * a + axis]!,
      values[2 * b + axis]!,
      values[2 * c + axis]!,
      map,
    );
    const at = t * MAP + which;
    this.#maps[at] = map[0]!;
    this.#maps[at + 1] = map[1]!;
    // Both the texel's and the pixel's number, not its edge.
    this.#maps[at + 2] = map[2]! - 0.5;
  }

  /** Corners, maps and allowance from luma's pixels to those of chroma. */
  #halve(count: number, width: number, height: number): void {
    const corners = this.#corners;
    for (let i = 0; i < corners.length; i += 2) {
      corners[i] = (corners[i]! + 0.5) / 2;
      corners[i + 1]! /= 2;
    }
    const maps = this.#maps;
    for (let at = 0; at < count * MAP; at += 3) {
      maps[at + 2]! -= 0.5 * maps[at]!;
      maps[at]! *= 2;
      maps[at + 1]! *= 2;
    }
    for (let t = 0; t < count; t++) {
      const x = t * MAP + X;
      const y = t * MAP + Y;
      for (let k = 0; k < 3; k++) {
        maps[x + k]! /= 2;
        maps[y + k]! /= 2;
      }
      // A row of chroma lies between two of luma.
      maps[y + 2]! -= 0.25;
    }
    const halfWidth = (width + 1) >> 1;
    const halfHeight = (height + 1) >> 1;
    const allowance = this.#allowance;
    for (let y = 0, i = 0; y < halfHeight; y++) {
      const upper = 2 * y * width;
      const lower = 2 * y + 1 < height ? upper + width : upper;
      for (let x = 0; x < halfWidth; x++, i++)
        allowance[i] = 0.5 * (allowance[upper + 2 * x]! + allowance[lower + 2 * x]!);
    }
  }

  #drawPlane(
    planes: FramePlanes,
    plane: 0 | 1 | 2,
    width: number,
    height: number,
    spans: TriangleSpans,
    { texels, grain: wantedGrain, grainSeed }: TrackPicture,
  ): void {
    const { side } = this.#layout;
    const to = planes.data[plane];
    const stride = planes.strides[plane];
    const before = this.#before;
    for (let y = 0; y < height; y++) before.set(to.subarray(y * stride, y * stride + width), y * width);
    const allowance = this.#allowance;
    const maps = this.#maps;
    const flags = this.#flags;
    const lastX = width - 1;
    const lastY = height - 1;
    const lastTexel = side - 1;
    const grain = plane === 0 ? wantedGrain : 0;
    for (let t = 0, n = spans.first.length - 1; t < n; t++) {
      const m = t * MAP;
      const isPainted = (flags[t]! & UNPAINTED) === 0;
      const still = (flags[t]! & STILL) !== 0;
      if (still && !isPainted) continue;
      const du = maps[m + U]!;
      const dv = maps[m + V]!;
      const dx = maps[m + X]!;
      const dy = maps[m + Y]!;
      for (let run = spans.first[t]!, end = spans.first[t + 1]!; run < end; run++) {
        const row = spans.row[run]!;
        const left = spans.left[run]!;
        const right = spans.right[run]!;
        const py = row + 0.5;
        const px = left + 0.5;
        let u = du * px + maps[m + U + 1]! * py + maps[m + U + 2]!;
        let v = dv * px + maps[m + V + 1]! * py + maps[m + V + 2]!;
        let x = dx * px + maps[m + X + 1]! * py + maps[m + X + 2]!;
        let y = dy * px + maps[m + Y + 1]! * py + maps[m + Y + 2]!;
        let cell = row * width + left;
        let out = row * stride + left;
        for (let column = left; column < right; column++, cell++, out++, u += du, v += dv, x += dx, y += dy) {
          const allowed = allowance[cell]!;
          if (allowed <= 0) continue;
          let opacity = 0;
          let colour = 0;
          if (isPainted) {
            const cu = u < 0 ? 0 : u > lastTexel ? lastTexel : u;
            const cv = v < 0 ? 0 : v > lastTexel ? lastTexel : v;
            const iu = cu | 0;
            const iv = cv | 0;
            const fu = cu - iu;
            const fv = cv - iv;
            const p = (iv * side + iu) * 4;
            const q = iu < lastTexel ? p + 4 : p;
            const down = iv < lastTexel ? side * 4 : 0;
            const upper = texels[p + 3]! + fu * (texels[q + 3]! - texels[p + 3]!);
            const lower = texels[p + 3 + down]! + fu * (texels[q + 3 + down]! - texels[p + 3 + down]!);
            opacity = upper + fv * (lower - upper);
            if (opacity > 0) {
              const k = p + plane;
              const l = q + plane;
              const above = texels[k]! + fu * (texels[l]! - texels[k]!);
              const below = texels[k + down]! + fu * (texels[l + down]! - texels[k + down]!);
              colour = above + fv * (below - above);
              if (grain > 0) colour += grain * grainAt(column + grainSeed * 7919, row);
            }
          }
          const own = before[cell]!;
          let value = own;
          // Where the new face covers all, what lies under it need not be found.
          if (!still && opacity <= OPAQUE) {
            const cx = x < 0 ? 0 : x > lastX ? lastX : x;
            const cy = y < 0 ? 0 : y > lastY ? lastY : y;
            const ix = cx | 0;
            const iy = cy | 0;
            const fx = cx - ix;
            const i = iy * width + ix;
            const j = ix < lastX ? i + 1 : i;
            const below = iy < lastY ? width : 0;
            const upper = before[i]! + fx * (before[j]! - before[i]!);
            const lower = before[i + below]! + fx * (before[j + below]! - before[i + below]!);
            value = upper + (cy - iy) * (lower - upper);
          }
          value += opacity * (colour - value);
          value = own + allowed * (value - own) + 0.5;
          to[out] = value < 0 ? 0 : value > 255 ? 255 : value;
        }
      }
    }
  }
}

const STILL = 1;
const UNPAINTED = 2;
const WELL_INSIDE = 0.97;

function flatten(mesh: Float32Array, out: Float32Array): void {
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    out[2 * v] = mesh[3 * v]!;
    out[2 * v + 1] = mesh[3 * v + 1]!;
  }
}

function turn(points: Float32Array, a: number, b: number, c: number): number {
  const x = points[2 * a]!;
  const y = points[2 * a + 1]!;
  return (points[2 * b]! - x) * (points[2 * c + 1]! - y) - (points[2 * b + 1]! - y) * (points[2 * c]! - x);
}

function isStill(original: Float32Array, moved: Float32Array, v: number): boolean {
  return original[3 * v] === moved[3 * v]! && original[3 * v + 1] === moved[3 * v + 1]!;
}

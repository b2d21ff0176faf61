import type { RgbImage } from '@guise/kernels/image.ts';
import { grainAt } from '@guise/kernels/grain.ts';
import { triangleSpans } from '@guise/kernels/triangle-spans.ts';
import { allowanceOf } from './allowance.ts';
import type { Region } from './allowance.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { planeOfTriangle } from '@guise/kernels/triangle-plane.ts';

/** The swapped face as it will be drawn: `side * side * 4` values, red, green, blue 0..255 and opacity 0..1. */
export interface FaceTexture {
  readonly side: number;
  readonly rgba: Float32Array;
  /** Standard deviation of the grain to add, luma steps. */
  readonly grain: number;
  /** Of a video's frame, so that the grain does not stand still. */
  readonly grainSeed?: number;
  /** What stays in front of the face, 0..1, in the target's own atlas; null where nothing does. */
  readonly occluded: Float32Array | null;
}

/**
 * Draws the texture into a copy of the target over the mesh `landmarks` (468 x (x, y, z), target pixels), and carries the
 * target's own pixels along from `original` (the target's true mesh) to it, so that eyes and mouth follow the new
 * proportions. What lies in front of the face keeps the target's pixels, unmoved. Triangles that face away are skipped, nearer
 * ones drawn later. Only pixels whose centre lies inside the original mesh are ever written: all others are bit-identical
 * to the target's.
 */
export function compositeFace(
  target: RgbImage,
  layout: AtlasLayout,
  texture: FaceTexture,
  original: Float32Array,
  landmarks: Float32Array,
): RgbImage {
  const { width, height } = target;
  const from = target.data;
  const data = new Uint8Array(from);
  const { triangles, points } = layout;
  const area = regionOf(original, width, height);
  if (area.width <= 0 || area.height <= 0) return { data, width, height };
  const allowance = allowanceOf(inRegion(original, area), layout, area, texture.occluded);
  const corners = inRegion(landmarks, area);
  const shown = drawingOrder(landmarks, triangles, points);
  const order = cornersOf(shown, triangles);
  const spans = triangleSpans(corners, order, area.width, area.height);

  const { side, rgba, grain, grainSeed = 0 } = texture;
  const lastX = width - 1;
  const lastY = height - 1;
  const stride = width * 3;
  const lastTexel = side - 1;
  const mapU = new Float64Array(3);
  const mapV = new Float64Array(3);
  const mapX = new Float64Array(3);
  const mapY = new Float64Array(3);

  for (let t = 0, n = order.length / 3; t < n; t++) {
    const a = order[3 * t]!;
    const b = order[3 * t + 1]!;
    const c = order[3 * t + 2]!;
    planeOfTriangle(corners, 2, a, b, c, points[2 * a]!, points[2 * b]!, points[2 * c]!, mapU);
    planeOfTriangle(corners, 2, a, b, c, points[2 * a + 1]!, points[2 * b + 1]!, points[2 * c + 1]!, mapV);
    planeOfTriangle(corners, 2, a, b, c, original[3 * a]!, original[3 * b]!, original[3 * c]!, mapX);
    planeOfTriangle(
      corners,
      2,
      a,
      b,
      c,
      original[3 * a + 1]!,
      original[3 * b + 1]!,
      original[3 * c + 1]!,
      mapY,
    );
    // Between the lips are the target's own teeth and tongue.
    const painted = layout.isMouth[shown[t]!] === 0;
    const still =
      isStill(original, landmarks, a) && isStill(original, landmarks, b) && isStill(original, landmarks, c);

    for (let run = spans.first[t]!, end = spans.first[t + 1]!; run < end; run++) {
      const row = spans.row[run]!;
      const left = spans.left[run]!;
      const right = spans.right[run]!;
      const py = row + 0.5;
      const px = left + 0.5;
      let u = mapU[0]! * px + mapU[1]! * py + mapU[2]! - 0.5;
      let v = mapV[0]! * px + mapV[1]! * py + mapV[2]! - 0.5;
      let x = mapX[0]! * px + mapX[1]! * py + mapX[2]! - 0.5;
      let y = mapY[0]! * px + mapY[1]! * py + mapY[2]! - 0.5;
      let out = ((row + area.y) * width + left + area.x) * 3;
      let cell = row * area.width + left;
      for (let column = left; column < right; column++, out += 3, cell++) {
        const allowed = allowance[cell]!;
        if (allowed > 0) {
          const cu = u < 0 ? 0 : u > lastTexel ? lastTexel : u;
          const cv = v < 0 ? 0 : v > lastTexel ? lastTexel : v;
          const iu = cu | 0;
          const iv = cv | 0;
          const fu = cu - iu;
          const fv = cv - iv;
          const p = (iv * side + iu) * 4;
          const q = iu < lastTexel ? p + 4 : p;
          const down = iv < lastTexel ? side * 4 : 0;
          const t00 = (1 - fu) * (1 - fv);
          const t10 = fu * (1 - fv);
          const t01 = (1 - fu) * fv;
          const t11 = fu * fv;
          const opacity = !painted
            ? 0
            : rgba[p + 3]! * t00 + rgba[q + 3]! * t10 + rgba[p + 3 + down]! * t01 + rgba[q + 3 + down]! * t11;

          let red: number;
          let green: number;
          let blue: number;
          // Where the new face covers all, what lies under it need not be found.
          if (still || opacity > OPAQUE) {
            red = from[out]!;
            green = from[out + 1]!;
            blue = from[out + 2]!;
          } else {
            const cx = x < 0 ? 0 : x > lastX ? lastX : x;
            const cy = y < 0 ? 0 : y > lastY ? lastY : y;
            const ix = cx | 0;
            const iy = cy | 0;
            const fx = cx - ix;
            const fy = cy - iy;
            const i = iy * stride + ix * 3;
            const j = ix < lastX ? i + 3 : i;
            const below = iy < lastY ? stride : 0;
            const w00 = (1 - fx) * (1 - fy);
            const w10 = fx * (1 - fy);
            const w01 = (1 - fx) * fy;
            const w11 = fx * fy;
            red = from[i]! * w00 + from[j]! * w10 + from[i + below]! * w01 + from[j + below]! * w11;
            green =
              from[i + 1]! * w00 +
              from[j + 1]! * w10 +
              from[i + 1 + below]! * w01 +
              from[j + 1 + below]! * w11;
            blue =
              from[i + 2]! * w00 +
              from[j + 2]! * w10 +
              from[i + 2 + below]! * w01 +
              from[j + 2 + below]! * w11;
          }
          if (opacity > 0) {
            const noise = grain > 0 ? grain * grainAt(column + area.x + grainSeed * 7919, row + area.y) : 0;
            red +=
              opacity *
              (rgba[p]! * t00 + rgba[q]! * t10 + rgba[p + down]! * t01 + rgba[q + down]! * t11 + noise - red);
            green +=
              opacity *
              (rgba[p + 1]! * t00 +
                rgba[q + 1]! * t10 +
                rgba[p + 1 + down]! * t01 +
                rgba[q + 1 + down]! * t11 +
                noise -
                green);
            blue +=
              opacity *
              (rgba[p + 2]! * t00 +
                rgba[q + 2]! * t10 +
                rgba[p + 2 + down]! * t01 +
                rgba[q + 2 + down]! * t11 +
                noise -
                blue);
          }
          if (allowed < 1) {
            red = from[out]! + allowed * (red - from[out]!);
            green = from[out + 1]! + allowed * (green - from[out + 1]!);
            blue = from[out + 2]! + allowed * (blue - from[out + 2]!);
          }
          data[out] = red <= 0 ? 0 : red >= 255 ? 255 : red + 0.5;
          data[out + 1] = green <= 0 ? 0 : green >= 255 ? 255 : green + 0.5;
          data[out + 2] = blue <= 0 ? 0 : blue >= 255 ? 255 : blue + 0.5;
        }
        u += mapU[0]!;
        v += mapV[0]!;
        x += mapX[0]!;
        y += mapY[0]!;
      }
    }
  }
  return { data, width, height };
}

/** The rest would show by less than a level. */
const OPAQUE = 0.996;

/** Whole pixels around the mesh, inside the image. */
function regionOf(mesh: Float32Array, width: number, height: number): Region {
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

function inRegion(mesh: Float32Array, area: Region): Float32Array {
  const points = new Float32Array(468 * 2);
  for (let v = 0; v < 468; v++) {
    points[2 * v] = mesh[3 * v]! - area.x;
    points[2 * v + 1] = mesh[3 * v + 1]! - area.y;
  }
  return points;
}

/** Numbers of the triangles that face the camera, far ones first. */
function drawingOrder(mesh: Float32Array, triangles: Uint16Array, uv: Float32Array): Uint16Array {
  const shown: { t: number; depth: number }[] = [];
  for (let t = 0; 3 * t < triangles.length; t++) {
    const a = triangles[3 * t]!;
    const b = triangles[3 * t + 1]!;
    const c = triangles[3 * t + 2]!;
    if (turn(mesh, 3, a, b, c) * turn(uv, 2, a, b, c) <= 0) continue;
    shown.push({ t, depth: mesh[3 * a + 2]! + mesh[3 * b + 2]! + mesh[3 * c + 2]! });
  }
  shown.sort((p, q) => q.depth - p.depth || p.t - q.t);
  return Uint16Array.from(shown, ({ t }) => t);
}

function cornersOf(shown: Uint16Array, triangles: Uint16Array): Uint16Array {
  const corners = new Uint16Array(shown.length * 3);
  for (let k = 0; k < shown.length; k++) {
    const t = shown[k]!;
    corners.set(triangles.subarray(3 * t, 3 * t + 3), 3 * k);
  }
  return corners;
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

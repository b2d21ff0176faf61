import type { Affine } from '@guise/kernels/affine.ts';
import { EYES } from '../uv/face-regions.ts';

export interface Eye {
  readonly x: number;
  readonly y: number;
  /** Radius of the iris, pixels. */
  readonly radius: number;
  /** Angle of the line between the corners, radians. */
  readonly angle: number;
  /** Mean distance between the lids in iris diameters. */
  readonly opening: number;
}

export function eyeOf(mesh: Float32Array, { ring, corners, iris }: (typeof EYES)[number]): Eye {
  const between = (p: number, q: number): number =>
    Math.hypot(mesh[3 * p]! - mesh[3 * q]!, mesh[3 * p + 1]! - mesh[3 * q + 1]!);
  const radius = Math.max(0.5, (between(iris + 1, iris + 3) + between(iris + 2, iris + 4)) / 4);
  const [start, end] = corners;
  let opening = 0;
  for (const offset of [-1, 0, 1]) {
    const upper = ring[12 + offset]!;
    const lower = ring[4 - offset]!;
    opening += between(upper, lower) / 3;
  }
  return {
    x: mesh[3 * iris]!,
    y: mesh[3 * iris + 1]!,
    radius,
    angle: Math.atan2(mesh[3 * end + 1]! - mesh[3 * start + 1]!, mesh[3 * end]! - mesh[3 * start]!),
    opening: opening / (2 * radius),
  };
}

/**
 * Adds irises to a mesh that the face of these landmarks got: each moves as its lids do, and grows
 * with the eye's width. The mesh is 468 x (x, y, z), landmarks and result are 478 x (x, y, z).
 */
export function withIrises(mesh: Float32Array, landmarks: Float32Array): Float32Array {
  const out = landmarks.slice();
  out.set(mesh);
  for (const { ring, corners, iris } of EYES) {
    const scale = widthOf(mesh, corners) / widthOf(landmarks, corners);
    for (let k = 0; k < 3; k++) {
      let moved = 0;
      for (const v of ring) moved += (mesh[3 * v + k]! - landmarks[3 * v + k]!) / ring.length;
      const centre = landmarks[3 * iris + k]!;
      for (let v = iris; v < iris + 5; v++)
        out[3 * v + k] = centre + moved + scale * (landmarks[3 * v + k]! - centre);
    }
  }
  return out;
}

function widthOf(mesh: Float32Array, [start, end]: (typeof EYES)[number]['corners']): number {
  return Math.hypot(mesh[3 * end]! - mesh[3 * start]!, mesh[3 * end + 1]! - mesh[3 * start + 1]!);
}

/** Returns the affine map from image pixels to texels that fits the eye's ring best. */
export function affineToAtlas(mesh: Float32Array, points: Float32Array, ring: readonly number[]): Affine {
  let mx = 0;
  let my = 0;
  let mu = 0;
  let mv = 0;
  for (const v of ring) {
    mx += mesh[3 * v]! / ring.length;
    my += mesh[3 * v + 1]! / ring.length;
    mu += points[2 * v]! / ring.length;
    mv += points[2 * v + 1]! / ring.length;
  }
  let xx = 1e-9;
  let xy = 0;
  let yy = 1e-9;
  let xu = 0;
  let yu = 0;
  let xv = 0;
  let yv = 0;
  for (const v of ring) {
    const x = mesh[3 * v]! - mx;
    const y = mesh[3 * v + 1]! - my;
    const u = points[2 * v]! - mu;
    const w = points[2 * v + 1]! - mv;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xu += x * u;
    yu += y * u;
    xv += x * w;
    yv += y * w;
  }
  const det = xx * yy - xy * xy;
  const a = (xu * yy - yu * xy) / det;
  const b = (yu * xx - xu * xy) / det;
  const d = (xv * yy - yv * xy) / det;
  const e = (yv * xx - xv * xy) / det;
  return [a, b, mu - a * mx - b * my, d, e, mv - d * mx - e * my];
}

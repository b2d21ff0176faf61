import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { perLayout } from './atlas-layout.ts';
import type { AtlasOutline } from './atlas-outline.ts';
import { NOSE } from './face-regions.ts';
import { texelsWhere } from './texel.ts';

/**
 * Distance from the nose's vertices, in sides of the atlas. 0 at `from`: a place is outside the
 * nose; 1 at `to`: it belongs to the nose.
 */
const NOSE_REACH: Ramp = { from: 0.05, to: 0.015 };

/** Height of the upper lip, sides from the top. */
const BELOW_NOSE = 0.64;

/** Measures how much a place (x, y: texels, edge based) of the atlas belongs to the nose, 0..1. */
export function noseShare({ points, side }: AtlasOutline, x: number, y: number): number {
  let nearest = Infinity;
  for (const v of NOSE) nearest = Math.min(nearest, Math.hypot(points[2 * v]! - x, points[2 * v + 1]! - y));
  return ramp(NOSE_REACH, nearest / side);
}

/** Plane of `noseShare` at each texel of the face. */
export const noseZone = perLayout((layout): Float32Array => {
  const { points, side } = layout;
  const zone = new Float32Array(side * side);
  const reach = NOSE_REACH.from * side;
  const [xs, ys] = [0, 1].map((axis) => NOSE.map((v) => points[2 * v + axis]!));
  const [left, right] = [Math.min(...xs!) - reach, Math.max(...xs!) + reach];
  const [top, bottom] = [Math.min(...ys!) - reach, Math.max(...ys!) + reach];
  for (let y = Math.floor(top); y < bottom; y++)
    for (let x = Math.floor(left); x < right; x++)
      zone[y * side + x] = layout.oval[y * side + x]! > 0 ? noseShare(layout, x + 0.5, y + 0.5) : 0;
  return zone;
});

/**
 * Computes the facing by which a face fades at its silhouette. On the nose it is at least `least`,
 * because the side of the nose ends before the far cheek, where the target's own nose would remain
 * beside the new one. So it is below the nose, between places with as much in the same row: the
 * folds of a laugh and the skin below the lip are no silhouette. Returns a new plane.
 */
export function facingAtOutline(
  facing: Float32Array,
  layout: AtlasLayout,
  least: number,
  make: PlaneMaker,
): Float32Array {
  const nose = noseZone(layout);
  const texels = noseTexels(layout);
  const out = make.copyOf(facing);
  for (let k = 0; k < texels.length; k++) {
    const i = texels[k]!;
    const own = least * nose[i]!;
    if (out[i]! < own) out[i] = own;
  }
  closeRows(out, layout.side, least);
  return out;
}

/**
 * Raises each value below the nose to `least`, or to the largest value on each side in its row, in
 * place.
 */
function closeRows(plane: Float32Array, side: number, least: number): void {
  const left = new Float32Array(side);
  for (let row = Math.round(BELOW_NOSE * side) * side; row < plane.length; row += side) {
    for (let x = 0, most = 0; x < side; x++)
      left[x] = most = Math.min(least, Math.max(most, plane[row + x]!));
    for (let x = side - 1, most = 0; x >= 0; x--) {
      most = Math.max(most, plane[row + x]!);
      const closed = Math.min(most, left[x]!);
      if (plane[row + x]! < closed) plane[row + x] = closed;
    }
  }
}

/** Texels that belong to the nose. */
const noseTexels = perLayout((layout): Uint32Array => {
  const nose = noseZone(layout);
  return texelsWhere(nose.length, (i) => nose[i]! > 0);
});

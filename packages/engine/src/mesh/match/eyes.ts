import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { type Affine, chainAffine, invertAffine } from '@guise/kernels/affine.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { EYES } from '../uv/face-regions.ts';
import { affineToAtlas, eyeOf } from './eye.ts';
import { irisGrowth, suitedEyes, unfollowedGaze } from './suited-eyes.ts';

/**
 * Opening of the target's eye, in iris diameters. 0 at `from`: the eye is shut, and the target's
 * lids stay; 1 at `to`: it is open.
 */
const OPEN_EYE: Ramp = { from: 0.18, to: 0.36 };
/**
 * Depth in the eye: 1 deep inside, 0.5 at the lids. 0 at `from`: texels stay, so that lashes stay
 * on the lids; 1 at `to`: texels move.
 */
const MOVED_DEPTH: Ramp = { from: 0.55, to: 0.8 };

/**
 * Turns the source's eyes to the target's gaze, in place on the lit atlas: moves and scales iris
 * and white so that the source's iris has the size and, as far as its lids allow, the place of the
 * target's. Returns the opacity of the swapped eyes, 0..1, in the atlas's size. The opacity is 0 if
 * the source shows no eye, in a blink, and if the source's eyes are too narrow. Landmarks are
 * 478 x (x, y, z), each in pixels of its own image; those of `target` are of the face to draw.
 * @param whites see `whitesShown`
 */
export function followGaze(
  lit: Atlas,
  layout: AtlasLayout,
  source: Float32Array,
  target: Float32Array,
  whites = 1,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array {
  const { side } = layout;
  const shown = make.floats(side * side);
  const planes = [lit.luma, lit.blue, lit.red];
  const boxes = EYES.map(({ ring }) => boundsOf(layout.points, ring, side));
  // Number of rows around the eyes: the largest distance that a texel moves.
  const room = side >> 4;
  const first = Math.max(0, Math.min(...boxes.map(({ top }) => top)) - room);
  const end = Math.min(side, Math.max(...boxes.map(({ bottom }) => bottom)) + room);
  const originals = planes.map((plane) => make.copyOf(plane.subarray(first * side, end * side)));
  // Both eyes are swapped or neither, because both eyes of a person have the same colour.
  const unfollowed = unfollowedGaze(source, target);
  const suited = whites * suitedEyes(source, target, unfollowed);
  const growth = irisGrowth(source, target);
  for (const [k, eye] of EYES.entries()) {
    const from = eyeOf(source, eye);
    const to = eyeOf(target, eye);
    const share = suited * ramp(OPEN_EYE, to.opening);
    if (share === 0) continue;
    const toAtlas = affineToAtlas(source, layout.points, eye.ring);
    const fromAtlas = invertAffine(affineToAtlas(target, layout.points, eye.ring));
    const scale = from.radius / (growth * to.radius);
    const cos = Math.cos(from.angle - to.angle) * scale;
    const sin = Math.sin(from.angle - to.angle) * scale;
    const [aside, down] = unfollowed.map((radii) => radii * to.radius) as [number, number];
    const x = to.x - aside * Math.cos(to.angle) + down * Math.sin(to.angle);
    const y = to.y - aside * Math.sin(to.angle) - down * Math.cos(to.angle);
    const turned: Affine = [cos, -sin, from.x - cos * x + sin * y, sin, cos, from.y - sin * x - cos * y];
    const map = chainAffine(toAtlas, chainAffine(turned, fromAtlas));
    moveTexels(
      { map, share, originals, first, end, softEyes: layout.softEyes },
      boxes[k]!,
      side,
      planes,
      shown,
    );
  }
  return shown;
}

interface Move {
  /** Map from a texel to the texel that is moved to it. */
  readonly map: Affine;
  /** Opacity of the moved texels, 0..1. */
  readonly share: number;
  /** Rows `first` to `end - 1` of the three planes, before the move. */
  readonly originals: readonly Float32Array[];
  readonly first: number;
  readonly end: number;
  readonly softEyes: Float32Array;
}

/** Moves the texels of one eye in the planes and writes their opacity. */
function moveTexels(
  { map, share, originals, first, end, softEyes }: Move,
  { left, top, right, bottom }: TexelBox,
  side: number,
  planes: readonly Float32Array[],
  shown: Float32Array,
): void {
  const [a, b, c, d, e, f] = map;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const i = y * side + x;
      const depth = softEyes[i]!;
      if (depth < 0.02) continue;
      const moved = ramp(MOVED_DEPTH, depth);
      const px = x + 0.5;
      const py = y + 0.5;
      const sx = Math.max(0, Math.min(side - 1.001, px + moved * (a * px + b * py + c - px) - 0.5));
      const sy = Math.max(first, Math.min(end - 1.001, py + moved * (d * px + e * py + f - py) - 0.5));
      const ix = sx | 0;
      const iy = sy | 0;
      const p = iy * side + ix;
      const fx = sx - ix;
      const fy = sy - iy;
      const w00 = (1 - fx) * (1 - fy);
      const w10 = fx * (1 - fy);
      const w01 = (1 - fx) * fy;
      const w11 = fx * fy;
      const eye = mixedAt(softEyes, p, side, w00, w10, w01, w11);
      shown[i] = share * (1 - moved * (1 - smoothstep(0.3, 0.6, eye)));
      const q = p - first * side;
      for (let plane = 0; plane < 3; plane++)
        planes[plane]![i] = mixedAt(originals[plane]!, q, side, w00, w10, w01, w11);
    }
  }
}

/** Mixes texel p, the next texel in its row and the two below them, by their weights. */
function mixedAt(
  plane: Float32Array,
  p: number,
  side: number,
  w00: number,
  w10: number,
  w01: number,
  w11: number,
): number {
  return plane[p]! * w00 + plane[p + 1]! * w10 + plane[p + side]! * w01 + plane[p + side + 1]! * w11;
}

interface TexelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns the box of texels around the ring, with a margin for the soft edge. */
function boundsOf(points: Float32Array, ring: readonly number[], side: number): TexelBox {
  const xs = ring.map((v) => points[2 * v]!);
  const ys = ring.map((v) => points[2 * v + 1]!);
  const room = side / 40;
  return {
    left: Math.max(0, Math.floor(Math.min(...xs) - room)),
    top: Math.max(0, Math.floor(Math.min(...ys) - room)),
    right: Math.min(side, Math.ceil(Math.max(...xs) + room)),
    bottom: Math.min(side, Math.ceil(Math.max(...ys) + room)),
  };
}

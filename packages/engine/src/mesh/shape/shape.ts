import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import { landmarkDistance } from '../../face/geometry/landmark-distance.ts';
import { fitSimilarity3d } from '../../face/geometry/rigid-fit.ts';
import type { RigidGroup, ShapeModel } from './shape-model.ts';
import { CHIN, TOP } from '../uv/face-regions.ts';
import { vertexFacing } from '../uv/vertex-facing.ts';

/**
 * Gap between the lips, in mouth widths. 0 at `from`: the mouth is shut, and its lips meet; 1 at
 * `to`: it is open.
 */
const OPEN_MOUTH_GAP: Ramp = { from: 0.03, to: 0.09 };
/**
 * Widening of the mouth by a smile, divided by the distance by which that smile raises the corners.
 */
const SMILE_WIDENING = 1;
/**
 * Share of all other widening that is also expression. Laughing and speech stretch lips without
 * raising their corners.
 */
const STRETCH_EXPRESSION_SHARE = 0.25;
/** Number of times that folded triangles are looked for. */
const UNFOLDING_ROUNDS = 8;
/** Twice the area of a triangle that counts, and the share of it that is left, pixels. */
const [MIN_AREA_PX, MIN_AREA_SHARE] = [1, 0.05];
/** Membership below which a vertex does not move with a group. */
const MIN_MEMBERSHIP = 0.01;
/**
 * Facing of a vertex. 0 at `from`: it is hidden, so its place is a guess that counts little in the
 * fit; 1 at `to`: it is visible.
 */
const SEEN_FACING: Ramp = { from: -0.4, to: -0.1 };
/** Weight that an unseen vertex keeps in the fit. */
const MIN_FIT_WEIGHT = 0.02;
/**
 * Facing of a vertex. 0 at `from`: it stays; 1 at `to`: it may move. At the target's silhouette, a
 * moved vertex would uncover or cover background.
 */
const MOVABLE_FACING: Ramp = { from: 0, to: 0.15 };

/** Returns the unit vector from one vertex to the other. */
function directionOf(mesh: Float32Array, from: number, to: number): readonly number[] {
  const vector = [0, 1, 2].map((k) => mesh[3 * to + k]! - mesh[3 * from + k]!);
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** How the target's expression changes with the source's proportions. */
interface Expression {
  /** Share of a wider mouth that is expression, which stays the target's, 0..1. */
  readonly stretchShare?: number;
  /**
   * Whether lips that almost meet do meet. Not for a mean of meshes, whose gap is another than that
   * of each mesh.
   */
  readonly closesLips?: boolean;
  /** Share of the distance between the lids by which they move towards each other, 0..1. */
  readonly narrowsEyes?: number;
}

/**
 * Gives the target's mesh the source's proportions. After the source's outline is fitted to the
 * target's, each vertex moves by `strength` (1: all of the way) towards its place in the source.
 * Eyes and lips move as wholes. Landmarks are 478 or 468 x (x, y, z); the result is 468 x (x, y, z)
 * in target pixels. Vertices of the oval stay exactly the target's.
 */
export function transferShape(
  model: ShapeModel,
  source: Float32Array,
  target: Float32Array,
  strength: number,
  { stretchShare = STRETCH_EXPRESSION_SHARE, closesLips = false, narrowsEyes = 0 }: Expression = {},
): Float32Array {
  const facing = vertexFacing(target, model.triangles);
  const ownFacing = vertexFacing(source, model.triangles);
  const weights = model.alignment.slice();
  for (let v = 0; v < weights.length; v++) {
    const seen = ramp(SEEN_FACING, Math.min(facing[v]!, ownFacing[v]!));
    weights[v]! *= Math.max(MIN_FIT_WEIGHT, seen);
  }
  const { scale, rotation, translation } = fitSimilarity3d(source, target, weights);
  const moved = new Float32Array(MESH_VERTEX_COUNT * 3);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    const x = source[3 * v]!;
    const y = source[3 * v + 1]!;
    const z = source[3 * v + 2]!;
    for (let axis = 0; axis < 3; axis++) {
      const r = 3 * axis;
      const aligned =
        scale * (rotation[r]! * x + rotation[r + 1]! * y + rotation[r + 2]! * z) + translation[axis]!;
      moved[3 * v + axis] = aligned - target[3 * v + axis]!;
    }
  }
  const free = moved.slice();
  const down = directionOf(target, TOP, CHIN);
  for (const group of model.groups) {
    // The result moves by `strength`, but edges must meet, not pass each other.
    const closing = (group.smile > 0 ? Number(closesLips) : narrowsEyes) / strength;
    moveAsOne(group, free, target, down, stretchShare, closing, moved);
  }

  const out = new Float32Array(MESH_VERTEX_COUNT * 3);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    const share = strength * model.reach[v]! * movable(model, facing, v);
    for (let axis = 0; axis < 3; axis++) {
      const i = 3 * v + axis;
      out[i] = target[i]! + share * moved[i]!;
    }
  }
  unfold(model, target, out);
  return out;
}

/**
 * Makes neighbouring vertices around the mouth move more alike, in place, where a triangle that
 * faces the camera would fold over: full lips, moved down onto the chin, would end in a hard edge.
 */
function unfold(
  { mouthTriangles: triangles, neighbours }: ShapeModel,
  before: Float32Array,
  after: Float32Array,
): void {
  const motion = after.map((value, i) => value - before[i]!);
  const isFolded = new Uint8Array(MESH_VERTEX_COUNT);
  for (let round = 0; round < UNFOLDING_ROUNDS; round++) {
    isFolded.fill(0);
    for (let k = 0; k < triangles.length; k += 3) {
      const [a, b, c] = [triangles[k]!, triangles[k + 1]!, triangles[k + 2]!];
      const area = areaOf(before, a, b, c);
      if (area >= -MIN_AREA_PX || areaOf(after, a, b, c) <= MIN_AREA_SHARE * area) continue;
      for (const v of [a, b, c]) isFolded[v] = 1;
    }
    if (!isFolded.includes(1)) return;
    for (const [v, around] of neighbours.entries()) {
      if (isFolded[v] === 0) continue;
      for (let i = 3 * v; i < 3 * v + 3; i++) {
        let sum = 0;
        for (const other of around) sum += motion[3 * other + i - 3 * v]!;
        after[i] = before[i]! + (motion[i]! + sum / around.length) / 2;
      }
    }
    for (let i = 0; i < motion.length; i++) motion[i] = after[i]! - before[i]!;
  }
}

/** Returns twice the area of a triangle in the image, pixels; negative if it faces the camera. */
function areaOf(mesh: Float32Array, a: number, b: number, c: number): number {
  const [x, y] = [mesh[3 * a]!, mesh[3 * a + 1]!];
  return (mesh[3 * b]! - x) * (mesh[3 * c + 1]! - y) - (mesh[3 * c]! - x) * (mesh[3 * b + 1]! - y);
}

/**
 * Computes the share of its motion that a vertex takes, 0..1. Vertices at the silhouette stay.
 * Those of the nose move with the rest, and both edges of a lip together.
 */
export function movable({ nose, otherEdge }: ShapeModel, facing: Float32Array, v: number): number {
  const towards = Math.max(facing[v]!, facing[otherEdge[v]!]!);
  return Math.max(nose[v]!, ramp(MOVABLE_FACING, towards));
}

/**
 * Replaces the separate motions of a group's vertices by their mean motion, plus a widening along
 * the axis between the corners.
 * @param closing share of the gap between the edges by which they move towards each other
 */
function moveAsOne(
  group: RigidGroup,
  free: Float32Array,
  target: Float32Array,
  down: readonly number[],
  stretchShare: number,
  closing: number,
  moved: Float32Array,
): void {
  const [a, b] = group.corners;
  let total = 0;
  const mean = [0, 0, 0];
  const centre = [0, 0, 0];
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    if (group.membership[v]! < 0.999) continue;
    total += 1;
    for (let k = 0; k < 3; k++) {
      mean[k]! += free[3 * v + k]!;
      centre[k]! += target[3 * v + k]!;
    }
  }
  let length = 0;
  const axis = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    mean[k]! /= total;
    centre[k]! /= total;
    axis[k] = target[3 * b + k]! - target[3 * a + k]!;
    length += axis[k]! ** 2;
  }
  length = Math.sqrt(length) || 1;
  let widening = 0;
  for (let k = 0; k < 3; k++) {
    axis[k]! /= length;
    widening += (free[3 * b + k]! - free[3 * a + k]!) * axis[k]!;
  }
  // If the corners are raised more than the target's, relative to the middle, this is a smile,
  // which also widens the mouth.
  const [upper, lower] = group.edges;
  let raised = 0;
  for (let k = 0; k < 3; k++) {
    const corners = free[3 * a + k]! + free[3 * b + k]!;
    raised -= (down[k]! * (corners - free[3 * upper + k]! - free[3 * lower + k]!)) / 2;
  }
  const smiled = group.smile * SMILE_WIDENING * raised;
  const widened = smiled + group.smile * stretchShare * (widening - smiled);
  widening = (group.widening * (widening - widened)) / length;
  // Wider eyes and lips open wider in proportion. Opening beyond that is expression.
  const gap = landmarkDistance(target, upper, lower) / length;
  const open = ramp(OPEN_MOUTH_GAP, gap);
  const opening = 1 - group.ownOpening * open;
  // Only the mouth smiles. Lips of an open mouth do not close.
  const shut = closing * (group.smile > 0 ? 1 - open : 1);
  // Each column has three values, which are 0 at the corners.
  const opened = new Float32Array(3 * (group.columns.length + 2));
  for (const [c, [above, below]] of group.columns.entries())
    for (let k = 0; k < 3; k++) {
      const own = free[3 * below + k]! - free[3 * above + k]!;
      opened[3 * c + 3 + k] =
        group.ownShape * own + (shut - widening) * (target[3 * below + k]! - target[3 * above + k]!);
    }
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    const share = group.membership[v]!;
    if (share < MIN_MEMBERSHIP) continue;
    let along = 0;
    const column = Math.min(group.columns.length, Math.floor(group.column[v]!));
    const onward = group.column[v]! - column;
    for (let k = 0; k < 3; k++) along += (target[3 * v + k]! - centre[k]!) * axis[k]!;
    for (let k = 0; k < 3; k++) {
      const i = 3 * v + k;
      const whole = mean[k]! + widening * along * axis[k]!;
      const smile =
        (widened * along * axis[k]!) / length - group.smile * group.curving[v]! * raised * down[k]!;
      const before = opened[3 * column + k]!;
      const apart = before + onward * (opened[3 * column + 3 + k]! - before);
      const wanted =
        whole + group.ownShape * (free[i]! - smile - whole) - opening * group.opening[v]! * apart;
      moved[i]! += share * (wanted - moved[i]!);
    }
  }
}

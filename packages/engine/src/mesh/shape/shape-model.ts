import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { CanonicalFace } from '../../face/geometry/canonical-face.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import type { AtlasOutline } from '../uv/atlas-outline.ts';
import {
  FACE_OVAL,
  LEFT_EYE,
  LEFT_EYE_CORNERS,
  MOUTH_CORNERS,
  OUTER_LIPS,
  INNER_LIPS,
  RIGHT_EYE,
  RIGHT_EYE_CORNERS,
} from '../uv/face-regions.ts';
import { noseShare } from '../uv/nose-zone.ts';

/**
 * Vertices that move together. Their common motion is expression, which stays the target's. Their
 * place and width are proportions, which come from the source.
 */
export interface RigidGroup {
  readonly corners: readonly [number, number];
  /**
   * Pairs of vertices of the upper and the lower edge, from one corner to the other. The distance
   * in a pair is expression.
   */
  readonly columns: readonly (readonly [number, number])[];
  /** Pair in the middle. */
  readonly edges: readonly [number, number];
  /** Share of the source's widening between the corners to copy. */
  readonly widening: number;
  /** Share of the source's inner shape that is still kept. */
  readonly ownShape: number;
  /** Membership of each vertex, 0..1, which decreases with the distance in the atlas. */
  readonly membership: Float32Array;
  /**
   * Position of each vertex in the columns: 0 is the first corner, 1 the first column, and so on.
   */
  readonly column: Float32Array;
  /** Motion of each vertex when the eye or mouth opens, from -0.5 above it to 0.5 below. */
  readonly opening: Float32Array;
  /** Motion of each vertex in a smile: 0.5 at the corners, -0.5 in the middle. */
  readonly curving: Float32Array;
  /**
   * Share of the source's opening to keep if the target is open, because full lips also part more.
   */
  readonly ownOpening: number;
  /** Share of raised corners that is expression, which stays the target's. */
  readonly smile: number;
}

/** Values that are the same for every pair of faces. */
export interface ShapeModel {
  readonly triangles: Uint16Array;
  /** Triangles of skin that the lips move. */
  readonly mouthTriangles: Uint16Array;
  /** Vertices that share a triangle with each vertex. */
  readonly neighbours: readonly (readonly number[])[];
  /**
   * Share of the source's shape that each vertex takes: 1 inside, 0 at the oval, so that the
   * background is not warped.
   */
  readonly reach: Float32Array;
  /** Weight of each vertex in the fit of one face to the other. */
  readonly alignment: Float32Array;
  readonly groups: readonly RigidGroup[];
  /**
   * Membership of each vertex in the nose. The nose ends before the far cheek, and moves as a whole
   * at any turn of the head.
   */
  readonly nose: Float32Array;
  /**
   * Vertex with which each vertex moves if that one faces the camera: the other edge of a lip,
   * which may fold away from it; else itself.
   */
  readonly otherEdge: Uint16Array;
}

/** Depth inside the oval up to which the source's shape fades in, in sides of the atlas. */
const REACH_FALLOFF_SIDES = 1 / 26;
/** Distance over which a vertex's membership in a group fades out, in sides of the atlas. */
const GROUP_FALLOFF_SIDES = 0.045;
/** Membership in the lips from which a vertex moves with them visibly. */
const MOVED_MEMBERSHIP = 0.1;
/** Pairs of upper and lower vertices of the lips, from the image's left to its right. */
const LIP_COLUMNS = [
  [191, 95],
  [80, 88],
  [81, 178],
  [82, 87],
  [13, 14],
  [312, 317],
  [311, 402],
  [310, 318],
  [415, 324],
] as const;
/** Pairs of upper and lower vertices of the right eye's lids. */
const RIGHT_EYE_COLUMNS = [
  [246, 7],
  [161, 163],
  [160, 144],
  [159, 145],
  [158, 153],
  [157, 154],
  [173, 155],
] as const;
/** Pairs of upper and lower vertices of the left eye's lids. */
const LEFT_EYE_COLUMNS = [
  [398, 382],
  [384, 381],
  [385, 380],
  [386, 374],
  [387, 373],
  [388, 390],
  [466, 249],
] as const;
/**
 * Weight of the outline in the fit of two faces. The outline stays the target's, so the source's
 * features keep their places relative to the outline.
 */
const OUTLINE_WEIGHT = 4;
/**
 * Weight of all other vertices. They are visible from any angle, and steady the fit if the outline
 * is hidden.
 */
const INSIDE_WEIGHT = 0.3;

export function createShapeModel(canonical: CanonicalFace, outline: AtlasOutline): ShapeModel {
  const { side, points } = outline;
  const blurredOval = outline.oval.slice();
  boxBlur(blurredOval, side, side, boxRadius(side * REACH_FALLOFF_SIDES));
  const reach = new Float32Array(MESH_VERTEX_COUNT);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    const x = Math.min(side - 1, Math.floor(points[2 * v]!));
    const y = Math.min(side - 1, Math.floor(points[2 * v + 1]!));
    reach[v] = smoothstep(0.5, 0.98, blurredOval[y * side + x]!);
  }
  const nose = new Float32Array(MESH_VERTEX_COUNT);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++)
    nose[v] = noseShare(outline, points[2 * v]!, points[2 * v + 1]!);
  const otherEdge = Uint16Array.from(reach, (_, v) => v);
  for (const [k, inside] of INNER_LIPS.entries()) {
    otherEdge[inside] = OUTER_LIPS[k]!;
    otherEdge[OUTER_LIPS[k]!] = inside;
  }
  const alignment = new Float32Array(MESH_VERTEX_COUNT).fill(INSIDE_WEIGHT);
  for (const v of FACE_OVAL) {
    reach[v] = 0;
    alignment[v] = OUTLINE_WEIGHT;
  }
  const group = (
    members: readonly number[],
    corners: readonly [number, number],
    columns: readonly (readonly [number, number])[],
    widening: number,
    ownShape: number,
    smile: number,
    ownOpening: number,
  ): RigidGroup => {
    const membership = new Float32Array(MESH_VERTEX_COUNT);
    for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
      let nearest = Infinity;
      for (const m of members) {
        const dx = (points[2 * v]! - points[2 * m]!) / side;
        const dy = (points[2 * v + 1]! - points[2 * m + 1]!) / side;
        nearest = Math.min(nearest, dx * dx + dy * dy);
      }
      membership[v] = Math.exp(-nearest / (GROUP_FALLOFF_SIDES * GROUP_FALLOFF_SIDES));
    }
    const edges = columns[columns.length >> 1]!;
    return {
      corners,
      columns,
      edges,
      widening,
      ownShape,
      membership,
      column: columnOf(points, corners, columns),
      opening: openingOf(points, edges),
      curving: curvingOf(points, corners),
      smile,
      ownOpening,
    };
  };
  const mouth = group([...OUTER_LIPS, ...INNER_LIPS], MOUTH_CORNERS, LIP_COLUMNS, 1, 0.9, 0.8, 0.25);
  return {
    triangles: canonical.triangles,
    mouthTriangles: lipTriangles(canonical.triangles, mouth.membership),
    neighbours: neighboursOf(canonical.triangles),
    reach,
    alignment,
    nose,
    otherEdge,
    groups: [
      mouth,
      group(RIGHT_EYE, RIGHT_EYE_CORNERS, RIGHT_EYE_COLUMNS, 1, 1, 0, 0),
      group(LEFT_EYE, LEFT_EYE_CORNERS, LEFT_EYE_COLUMNS, 1, 1, 0, 0),
    ],
  };
}

/** Returns the triangles that the lips move, without those between the lips. */
function lipTriangles(triangles: Uint16Array, membership: Float32Array): Uint16Array {
  const inner = new Set<number>(INNER_LIPS);
  return triangles.filter((_, i) => {
    const corners = [...triangles.subarray(i - (i % 3), i - (i % 3) + 3)];
    return corners.every((v) => membership[v]! > MOVED_MEMBERSHIP) && !corners.every((v) => inner.has(v));
  });
}

function neighboursOf(triangles: Uint16Array): number[][] {
  const sets = Array.from({ length: MESH_VERTEX_COUNT }, () => new Set<number>());
  for (let k = 0; k < triangles.length; k += 3) {
    const corners = triangles.subarray(k, k + 3);
    for (const a of corners) for (const b of corners) if (a !== b) sets[a]!.add(b);
  }
  return sets.map((set) => Array.from(set));
}

/** Computes the position of each vertex between the corners, in columns. */
function columnOf(
  points: Float32Array,
  [left, right]: readonly [number, number],
  columns: readonly (readonly [number, number])[],
): Float32Array {
  const at = [left, ...columns.map(([upper]) => upper), right].map((v) => points[2 * v]!);
  return Float32Array.from({ length: MESH_VERTEX_COUNT }, (_, v) => {
    const x = points[2 * v]!;
    const next = at.findIndex((edge) => x < edge);
    if (next <= 0) return next < 0 ? at.length - 1 : 0;
    return next - 1 + (x - at[next - 1]!) / (at[next]! - at[next - 1]!);
  });
}

/** Computes how each vertex moves, -0.5 to 0.5, when the eye or mouth between these edges opens. */
function openingOf(points: Float32Array, [upper, lower]: readonly [number, number]): Float32Array {
  const top = points[2 * upper + 1]!;
  const bottom = points[2 * lower + 1]!;
  const out = new Float32Array(MESH_VERTEX_COUNT);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    const down = (points[2 * v + 1]! - (top + bottom) / 2) / Math.max(1, bottom - top);
    out[v] = Math.max(-0.5, Math.min(0.5, down));
  }
  return out;
}

/** Computes how far a smile between these corners moves each vertex up. */
function curvingOf(points: Float32Array, [left, right]: readonly [number, number]): Float32Array {
  const centreX = (points[2 * left]! + points[2 * right]!) / 2;
  const half = Math.abs(points[2 * right]! - points[2 * left]!) / 2;
  const out = new Float32Array(MESH_VERTEX_COUNT);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    const aside = Math.min(1, Math.abs(points[2 * v]! - centreX) / half);
    out[v] = aside * aside - 0.5;
  }
  return out;
}

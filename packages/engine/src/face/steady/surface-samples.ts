import type { CanonicalFace } from '../geometry/canonical-face.ts';
import { MESH_VERTEX_COUNT } from '../geometry/face.ts';

/**
 * Number of columns of control nodes over the face, as seen from the front. Values between nodes
 * are bilinear.
 */
export const NODE_COLUMNS = 5;
/** Number of rows of control nodes. */
export const NODE_ROWS = 6;
/** Number of control nodes. */
export const NODE_COUNT = NODE_COLUMNS * NODE_ROWS;

/**
 * Positions among the nodes. Item i is in the cell whose first node is `first[i]`, with the shares
 * `shares[4 i ..]` of the cell's four nodes.
 */
export interface NodeShares {
  readonly first: Uint8Array;
  readonly shares: Float32Array;
}

/**
 * Points spread evenly over the face's surface as seen from the front. The eyes are left out,
 * because they move by themselves.
 */
export interface SurfaceSamples {
  readonly count: number;
  /** The three vertices of each point's triangle, and the point's shares of them. */
  readonly corners: Uint16Array;
  readonly cornerShares: Float32Array;
  /** Twice the triangle's area from the front, in squares of the face's height. */
  readonly frontArea: Float32Array;
  readonly nodes: NodeShares;
  /** Position over the face, -1..1, to the right and down. */
  readonly across: Float32Array;
  readonly down: Float32Array;
  /** Shares of the nodes in each of the 478 landmarks. An iris moves with its eye. */
  readonly landmarkNodes: NodeShares;
}

/** Distance between points, in heights of the face. */
const SPACING_HEIGHTS = 1 / 44;
/** Corners of both eyes. */
const EYE_CORNERS = [
  [33, 133],
  [362, 263],
] as const;
/** Number of landmarks of an iris. */
const IRIS_POINT_COUNT = 5;
/** Half the width of the excluded area around an eye, in widths of the eye. */
const EYE_HALF_WIDTH = 0.62;
/** Half the height of the excluded area around an eye, in widths of the eye. */
const EYE_HALF_HEIGHT = 0.42;

/** Samples of each canonical face, which are made once. */
const built = new WeakMap<CanonicalFace, SurfaceSamples>();

/** Returns the samples of a canonical face, which are built once. */
export function surfaceSamples(canonical: CanonicalFace): SurfaceSamples {
  let samples = built.get(canonical);
  if (!samples) built.set(canonical, (samples = build(canonical)));
  return samples;
}

function build({ vertices, triangles }: CanonicalFace): SurfaceSamples {
  const box = frontBox(vertices);
  const step = SPACING_HEIGHTS * box.height;
  const columns = Math.ceil(box.width / step);
  const front = frontTriangles(vertices, triangles, box, step, columns);
  const corners: number[] = [];
  const cornerShares: number[] = [];
  const frontArea: number[] = [];
  const places: number[] = [];
  for (const [at, hit] of front.entries()) {
    const x = box.left + (at % columns) * step;
    const y = box.top - Math.floor(at / columns) * step;
    if (hit === null || isInEye(vertices, x, y)) continue;
    corners.push(...hit.corners);
    cornerShares.push(...hit.shares);
    frontArea.push(hit.area / box.height ** 2);
    places.push((x - box.left) / box.width, (box.top - y) / box.height);
  }
  const landmarkPlaces: number[] = [];
  for (let v = 0; v < MESH_VERTEX_COUNT; v++)
    landmarkPlaces.push(
      (vertices[3 * v]! - box.left) / box.width,
      (box.top - vertices[3 * v + 1]!) / box.height,
    );
  for (const corners of EYE_CORNERS)
    for (let i = 0; i < IRIS_POINT_COUNT; i++)
      for (const axis of [0, 1])
        landmarkPlaces.push(
          (landmarkPlaces[2 * corners[0] + axis]! + landmarkPlaces[2 * corners[1] + axis]!) / 2,
        );
  const count = frontArea.length;
  return {
    count,
    corners: Uint16Array.from(corners),
    cornerShares: Float32Array.from(cornerShares),
    frontArea: Float32Array.from(frontArea),
    nodes: nodeShares(places),
    across: Float32Array.from({ length: count }, (_, i) => 2 * places[2 * i]! - 1),
    down: Float32Array.from({ length: count }, (_, i) => 2 * places[2 * i + 1]! - 1),
    landmarkNodes: nodeShares(landmarkPlaces),
  };
}

interface FrontBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the face's box from the front. y points up. */
function frontBox(vertices: Float32Array): FrontBox {
  let left = Infinity;
  let right = -Infinity;
  let top = -Infinity;
  let bottom = Infinity;
  for (let i = 0; i < vertices.length; i += 3) {
    left = Math.min(left, vertices[i]!);
    right = Math.max(right, vertices[i]!);
    top = Math.max(top, vertices[i + 1]!);
    bottom = Math.min(bottom, vertices[i + 1]!);
  }
  return { left, top, width: right - left, height: top - bottom };
}

function isInEye(vertices: Float32Array, x: number, y: number): boolean {
  return EYE_CORNERS.some(([a, b]) => {
    const width = Math.abs(vertices[3 * a]! - vertices[3 * b]!);
    const dx = x - (vertices[3 * a]! + vertices[3 * b]!) / 2;
    const dy = y - (vertices[3 * a + 1]! + vertices[3 * b + 1]!) / 2;
    return Math.hypot(dx / (EYE_HALF_WIDTH * width), dy / (EYE_HALF_HEIGHT * width)) < 1;
  });
}

interface FrontTriangle {
  readonly corners: readonly number[];
  readonly shares: readonly number[];
  readonly area: number;
  readonly z: number;
}

/**
 * Finds the foremost triangle at each place of the front view. Places are `step` apart, from the
 * left and top of the box, row by row.
 */
function frontTriangles(
  vertices: Float32Array,
  triangles: Uint16Array,
  box: FrontBox,
  step: number,
  columns: number,
): (FrontTriangle | null)[] {
  const rows = Math.ceil(box.height / step);
  const front = Array.from({ length: columns * rows }, (): FrontTriangle | null => null);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!] as const;
    const [a, b, c] = corners.map((v) => 3 * v) as [number, number, number];
    const ax = vertices[a]!;
    const ay = vertices[a + 1]!;
    const ux = vertices[b]! - ax;
    const uy = vertices[b + 1]! - ay;
    const vx = vertices[c]! - ax;
    const vy = vertices[c + 1]! - ay;
    const area = ux * vy - uy * vx;
    if (area <= 1e-6) continue;
    // Covers one more place on each side, so that rounding does not lose a point on an edge.
    const firstColumn = Math.max(0, Math.floor((ax + Math.min(0, ux, vx) - box.left) / step) - 1);
    const lastColumn = Math.min(columns - 1, Math.ceil((ax + Math.max(0, ux, vx) - box.left) / step) + 1);
    const firstRow = Math.max(0, Math.floor((box.top - ay - Math.max(0, uy, vy)) / step) - 1);
    const lastRow = Math.min(rows - 1, Math.ceil((box.top - ay - Math.min(0, uy, vy)) / step) + 1);
    for (let row = firstRow; row <= lastRow; row++) {
      const py = box.top - row * step - ay;
      for (let column = firstColumn; column <= lastColumn; column++) {
        const px = box.left + column * step - ax;
        const toB = (px * vy - py * vx) / area;
        const toC = (ux * py - uy * px) / area;
        if (toB < 0 || toC < 0 || toB + toC > 1) continue;
        const shares = [1 - toB - toC, toB, toC];
        const z = shares[0]! * vertices[a + 2]! + toB * vertices[b + 2]! + toC * vertices[c + 2]!;
        const at = row * columns + column;
        if (front[at] === null || z > front[at]!.z) front[at] = { corners, shares, area, z };
      }
    }
  }
  return front;
}

/** @param places x and y of each point, 0..1 over the face */
function nodeShares(places: readonly number[]): NodeShares {
  const count = places.length / 2;
  const first = new Uint8Array(count);
  const shares = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) {
    const x = Math.max(0, Math.min(1, places[2 * i]!)) * (NODE_COLUMNS - 1);
    const y = Math.max(0, Math.min(1, places[2 * i + 1]!)) * (NODE_ROWS - 1);
    const left = Math.min(NODE_COLUMNS - 2, Math.floor(x));
    const top = Math.min(NODE_ROWS - 2, Math.floor(y));
    first[i] = top * NODE_COLUMNS + left;
    const right = x - left;
    const lower = y - top;
    shares.set([(1 - right) * (1 - lower), right * (1 - lower), (1 - right) * lower, right * lower], 4 * i);
  }
  return { first, shares };
}

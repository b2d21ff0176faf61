import { clamp } from '@guise/kernels/clamp.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';
import { perLayout } from '../uv/atlas-layout.ts';

/** Distance from a contour, pixels, within which pixels are softened. */
const REACH_PX = 1.5;

/** A part of a picture: 8-bit samples, those of a pixel one after the other. */
interface Pixels {
  /** Begins at the part's first sample. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Distance from row to row, samples. */
  readonly stride: number;
  /** Samples of a pixel. */
  readonly channels: number;
}

/** A face that was drawn into such a part. */
interface DrawnFace {
  /** Vertices of its mesh, 468 x (x, y), in pixels of the part. */
  readonly points: Float32Array;
  /** 1 for each triangle that faces the camera. */
  readonly isShown: Uint8Array;
  /** Returns whether a texel of the atlas was painted. */
  readonly isPainted: (texel: number) => boolean;
  /** How much each pixel may change, 0..1, row by row. */
  readonly allowance: Float32Array;
}

/** An edge between two triangles. */
interface InnerEdge {
  readonly vertices: readonly [number, number];
  readonly triangles: readonly [number, number];
}

/**
 * Softens the lines along which a part of a drawn face hides another, as a nose hides a cheek, in
 * place. Each pixel shows only one of both, so these lines would be jagged.
 */
export function softenContours(pixels: Pixels, layout: AtlasGeometry, drawn: DrawnFace): void {
  const { data, width, height, stride, channels } = pixels;
  const { points, isShown, isPainted, allowance } = drawn;
  const near = new Float32Array(width * height);
  const found: number[] = [];
  for (const { vertices, triangles } of innerEdges(layout))
    if (isShown[triangles[0]] !== isShown[triangles[1]] && isPainted(texelOf(layout, vertices[0])))
      findNear(pixels, points, vertices, near, found);
  const values = new Uint8Array(found.length * channels);
  for (let k = 0; k < values.length; k++) {
    const pixel = found[Math.floor(k / channels)]!;
    const at = sampleOf(pixels, pixel) + (k % channels);
    const step = meanAround(data, at, stride, channels) - data[at]!;
    values[k] = Math.round(data[at]! + near[pixel]! * allowance[pixel]! * step);
  }
  for (let k = 0; k < values.length; k++)
    data[sampleOf(pixels, found[Math.floor(k / channels)]!) + (k % channels)] = values[k]!;
}

/** Returns the first sample of a pixel, which are numbered row by row. */
function sampleOf({ width, stride, channels }: Pixels, pixel: number): number {
  return Math.floor(pixel / width) * stride + channels * (pixel % width);
}

/** Returns the texel of the atlas in which a vertex lies. */
function texelOf({ points, side }: AtlasGeometry, vertex: number): number {
  return Math.floor(points[2 * vertex + 1]!) * side + Math.floor(points[2 * vertex]!);
}

/** Edges inside the mesh. */
const innerEdges = perLayout(({ triangles }: AtlasGeometry): InnerEdge[] => {
  const first = new Map<number, number>();
  const edges: InnerEdge[] = [];
  for (const [corner, a] of triangles.entries()) {
    const triangle = Math.floor(corner / 3);
    const b = triangles[3 * triangle + ((corner + 1) % 3)]!;
    const key = 2 ** 16 * Math.min(a, b) + Math.max(a, b);
    const other = first.get(key);
    if (other === undefined) first.set(key, triangle);
    else edges.push({ vertices: [a, b], triangles: [other, triangle] });
  }
  return edges;
});

/**
 * Finds the pixels near a line between two vertices.
 * @param near receives how near each pixel is: 1 on the line, 0 at `REACH_PX`
 * @param found receives the pixels
 */
function findNear(
  { width, height }: Pixels,
  points: Float32Array,
  [from, to]: readonly [number, number],
  near: Float32Array,
  found: number[],
): void {
  const [ax, ay, bx, by] = [points[2 * from]!, points[2 * from + 1]!, points[2 * to]!, points[2 * to + 1]!];
  const [right, down] = [bx - ax, by - ay];
  const squared = Math.max(1e-6, right * right + down * down);
  // Pixels at the part's edge have no neighbours beyond it.
  const lastX = Math.min(width - 2, Math.ceil(Math.max(ax, bx) + REACH_PX));
  const lastY = Math.min(height - 2, Math.ceil(Math.max(ay, by) + REACH_PX));
  const firstX = Math.max(1, Math.floor(Math.min(ax, bx) - REACH_PX));
  for (let y = Math.max(1, Math.floor(Math.min(ay, by) - REACH_PX)); y <= lastY; y++)
    for (let x = firstX; x <= lastX; x++) {
      const [px, py] = [x + 0.5 - ax, y + 0.5 - ay];
      const along = clamp((px * right + py * down) / squared, 0, 1);
      const share = REACH_PX - Math.hypot(px - along * right, py - along * down);
      const pixel = y * width + x;
      if (share <= near[pixel]!) continue;
      if (near[pixel] === 0) found.push(pixel);
      near[pixel] = Math.min(1, share);
    }
}

/** Returns the weighted mean of a sample and the same samples of the eight pixels around. */
function meanAround(data: Uint8Array, at: number, stride: number, channels: number): number {
  const row = (middle: number): number =>
    data[middle - channels]! + 2 * data[middle]! + data[middle + channels]!;
  return (row(at - stride) + 2 * row(at) + row(at + stride)) / 16;
}

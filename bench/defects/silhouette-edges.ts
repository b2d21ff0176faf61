import type { RgbImage } from '@guise/kernels/image.ts';
import { FACE_OVAL } from '../../packages/engine/src/mesh/uv/face-regions.ts';
import { meanOf } from './face-pair.ts';

/** Length of each line from the outline inwards, as a share of the height of the face. */
const REACH = 0.08;
/** Number of steps on each line. */
const STEP_COUNT = 24;
/** An edge of the target within this many steps counts as the same edge. */
const SAME_EDGE_STEPS = 2;
/** Number of lines for each segment of the oval. */
const POINTS_A_PART = 4;
/** A step of luma up to this size is texture and not an edge. */
const MIN_EDGE_LEVELS = 6;

/**
 * Measures edges just inside the silhouette that the target does not have: where the old outline is
 * visible beside the new one, or the face looks pasted on. Returns the mean over the outline, in
 * levels of luma.
 * @param landmarks landmarks of the target's face
 */
export function silhouetteEdges(output: RgbImage, target: RgbImage, landmarks: Float32Array): number {
  const at = (vertex: number): [x: number, y: number] => [landmarks[3 * vertex]!, landmarks[3 * vertex + 1]!];
  const [top, bottom] = [at(10), at(152)];
  const middle = [(top[0] + bottom[0]) / 2, (top[1] + bottom[1]) / 2] as const;
  const reach = REACH * Math.hypot(top[0] - bottom[0], top[1] - bottom[1]);
  const extras: number[] = [];
  for (let k = 0; k < FACE_OVAL.length; k++) {
    const [from, to] = [at(FACE_OVAL[k]!), at(FACE_OVAL[(k + 1) % FACE_OVAL.length]!)];
    for (let part = 0; part < POINTS_A_PART; part++) {
      const share = part / POINTS_A_PART;
      const x = from[0] + share * (to[0] - from[0]);
      const y = from[1] + share * (to[1] - from[1]);
      const away = Math.hypot(middle[0] - x, middle[1] - y);
      const way = { x, y, dx: ((middle[0] - x) / away) * reach, dy: ((middle[1] - y) / away) * reach };
      extras.push(extraEdge(stepsAlong(output, way), stepsAlong(target, way)));
    }
  }
  return meanOf(extras);
}

interface Way {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/** Returns how much the strongest edge exceeds the edges of the target near it. */
function extraEdge(output: readonly number[], target: readonly number[]): number {
  let extra = 0;
  for (const [k, step] of output.entries()) {
    const near = target.slice(Math.max(0, k - SAME_EDGE_STEPS), k + SAME_EDGE_STEPS + 1);
    extra = Math.max(extra, step - Math.max(...near) - MIN_EDGE_LEVELS);
  }
  return extra;
}

/** Returns the luma steps along a line inwards. */
function stepsAlong(image: RgbImage, { x, y, dx, dy }: Way): number[] {
  const lumas = Array.from({ length: STEP_COUNT + 1 }, (_, k) =>
    lumaAt(image, x + (dx * k) / STEP_COUNT, y + (dy * k) / STEP_COUNT),
  );
  return lumas.slice(1).map((luma, k) => Math.abs(luma - lumas[k]!));
}

/** Samples the luma with bilinear interpolation. */
function lumaAt({ data, width, height }: RgbImage, x: number, y: number): number {
  const left = Math.max(0, Math.min(width - 2, Math.floor(x - 0.5)));
  const top = Math.max(0, Math.min(height - 2, Math.floor(y - 0.5)));
  const u = Math.max(0, Math.min(1, x - 0.5 - left));
  const v = Math.max(0, Math.min(1, y - 0.5 - top));
  const luma = (column: number, row: number): number => {
    const i = 3 * ((top + row) * width + left + column);
    return 0.299 * data[i]! + 0.587 * data[i + 1]! + 0.114 * data[i + 2]!;
  };
  return (1 - v) * ((1 - u) * luma(0, 0) + u * luma(1, 0)) + v * ((1 - u) * luma(0, 1) + u * luma(1, 1));
}

import type { RegisteredPoints } from '@guise/kernels/register-points.ts';
import { LEAST_POINTS, LIGHT, registerPoints } from '@guise/kernels/register-points.ts';
import type { SkinView } from './skin-patch.ts';
import type { SurfaceSamples } from './surface-samples.ts';
import { NODE_COLUMNS, NODE_COUNT, NODE_ROWS } from './surface-samples.ts';

/**
 * What is known of the shifts before looking, as the strength (one over the variance, per square of
 * a 144th of the face) of three wishes: they are small, alike at neighbouring nodes, and follow a
 * plane. They only decide where the skin has no texture to see.
 */
const SMALL = 0.1;
const ALIKE = 0.6;
const EVEN = 6;
const FACE_UNIT = 144;

/** Share of the points that must agree for a shift to be believed. */
const LEAST_AGREEING = 0.45;
/**
 * Usual difference in grey levels beyond which this is not the same skin any more: motion blur, a
 * flash, an occluder.
 */
const MOST_DEVIATION = 6;
/** Shift in shares of the face beyond which the slopes say nothing about the way. */
const MOST_SHIFT = 0.03;

/**
 * Finds by how much the mesh errs from one view of the skin to the next: if it followed the head
 * exactly, the same points of the surface would look the same but for light. The grey's differences
 * are explained by a small shift of the mesh, bilinear between the nodes of `surface-samples.ts`,
 * and by a change of light (linear over the face, and its contrast).
 */
export class SkinRegistration {
  readonly #points: RegisteredPoints;
  readonly #solution = new Float64Array(2 * NODE_COUNT + LIGHT);

  constructor({ count, nodes: { first, shares }, across, down }: SurfaceSamples) {
    const prior = priorMatrix();
    this.#points = {
      count,
      columns: NODE_COLUMNS,
      nodeCount: NODE_COUNT,
      first,
      shares,
      across,
      down,
      prior,
    };
  }

  /**
   * The change of the mesh's error, in the frame's pixels: where the skin moved beyond what the
   * mesh did, from `before` to `after`. First x of all nodes, then y.
   * @returns null where the views do not show the same skin
   */
  shift(before: SkinView, after: SkinView): Float32Array | null {
    if (before.scale !== after.scale) return null;
    const { size, factor } = after.scale;
    const unitsPerPixel = (FACE_UNIT * factor) / size;
    const { points, agreeing, deviation } = registerPoints(
      this.#points,
      before,
      after,
      unitsPerPixel,
      this.#solution,
    );
    if (points < LEAST_POINTS || agreeing < LEAST_AGREEING || deviation > MOST_DEVIATION) return null;
    const shift = new Float32Array(2 * NODE_COUNT);
    for (let i = 0; i < shift.length; i++) {
      if (Math.abs(this.#solution[i]!) * factor > MOST_SHIFT * size) return null;
      shift[i] = this.#solution[i]! * factor;
    }
    return shift;
  }
}

/** The wishes about the shifts along one axis, `NODE_COUNT` squared. */
function priorMatrix(): Float64Array {
  const matrix = new Float64Array(NODE_COUNT * NODE_COUNT);
  const wish = (
    strength: number,
    ...terms: readonly (readonly [column: number, row: number, factor: number])[]
  ): void => {
    if (terms.some(([column, row]) => column >= NODE_COLUMNS || row >= NODE_ROWS)) return;
    for (const [c, r, f] of terms)
      for (const [column, row, factor] of terms)
        matrix[(r * NODE_COLUMNS + c) * NODE_COUNT + row * NODE_COLUMNS + column]! += strength * f * factor;
  };
  for (let y = 0; y < NODE_ROWS; y++) {
    for (let x = 0; x < NODE_COLUMNS; x++) {
      wish(SMALL, [x, y, 1]);
      wish(ALIKE, [x, y, 1], [x + 1, y, -1]);
      wish(ALIKE, [x, y, 1], [x, y + 1, -1]);
      wish(EVEN, [x, y, 1], [x + 1, y, -2], [x + 2, y, 1]);
      wish(EVEN, [x, y, 1], [x, y + 1, -2], [x, y + 2, 1]);
      wish(2 * EVEN, [x, y, 1], [x + 1, y, -1], [x, y + 1, -1], [x + 1, y + 1, 1]);
    }
  }
  return matrix;
}

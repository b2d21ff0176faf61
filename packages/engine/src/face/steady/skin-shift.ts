import type { RegisteredPoints } from '@guise/kernels/face/register-points.ts';
import { LEAST_POINTS, LIGHT, registerPoints } from '@guise/kernels/face/register-points.ts';
import type { SkinView } from './skin-patch.ts';
import type { SurfaceSamples } from './surface-samples.ts';
import { NODE_COLUMNS, NODE_COUNT, NODE_ROWS } from './surface-samples.ts';

/**
 * Strength of the wish that shifts are small: one over its variance, per square of a 144th of the
 * face. This and the next two only decide where the skin has no texture to see.
 */
const SMALL_STRENGTH = 0.1;
/** Strength of the wish that neighbouring nodes shift alike. */
const ALIKE_STRENGTH = 0.6;
/** Strength of the wish that shifts follow a plane. */
const EVEN_STRENGTH = 6;
/** Units of a shift to the size of a face. */
const UNITS_PER_SIZE = 144;

/** Share of the points that must agree for a shift to be believed. */
const MIN_AGREEING_SHARE = 0.45;
/**
 * Usual difference, levels, above which this is not the same skin any more: motion blur, a flash,
 * an occluder.
 */
const MAX_DEVIATION_LEVELS = 6;
/** Shift, in sizes of the face, above which the slopes say nothing about the way. */
const MAX_SHIFT_SIZES = 0.03;

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
    const unitsPerPixel = (UNITS_PER_SIZE * factor) / size;
    const { points, agreeing, deviation } = registerPoints(
      this.#points,
      before,
      after,
      unitsPerPixel,
      this.#solution,
    );
    if (points < LEAST_POINTS || agreeing < MIN_AGREEING_SHARE || deviation > MAX_DEVIATION_LEVELS)
      return null;
    const shift = new Float32Array(2 * NODE_COUNT);
    for (let i = 0; i < shift.length; i++) {
      if (Math.abs(this.#solution[i]!) * factor > MAX_SHIFT_SIZES * size) return null;
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
      wish(SMALL_STRENGTH, [x, y, 1]);
      wish(ALIKE_STRENGTH, [x, y, 1], [x + 1, y, -1]);
      wish(ALIKE_STRENGTH, [x, y, 1], [x, y + 1, -1]);
      wish(EVEN_STRENGTH, [x, y, 1], [x + 1, y, -2], [x + 2, y, 1]);
      wish(EVEN_STRENGTH, [x, y, 1], [x, y + 1, -2], [x, y + 2, 1]);
      wish(2 * EVEN_STRENGTH, [x, y, 1], [x + 1, y, -1], [x, y + 1, -1], [x + 1, y + 1, 1]);
    }
  }
  return matrix;
}

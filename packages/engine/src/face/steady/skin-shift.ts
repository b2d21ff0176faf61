import type { RegisteredPoints } from '@guise/kernels/face/register-points.ts';
import { MIN_POINTS, LIGHT, registerPoints } from '@guise/kernels/face/register-points.ts';
import type { SkinView } from './skin-patch.ts';
import type { SurfaceSamples } from './surface-samples.ts';
import { NODE_COLUMNS, NODE_COUNT, NODE_ROWS } from './surface-samples.ts';

/**
 * Strength of the prior that shifts are small: one over its variance, per square of a 144th of the
 * face. This prior and the next two only matter where the skin has no visible texture.
 */
const SMALL_STRENGTH = 0.1;
/** Strength of the prior that neighbouring nodes have equal shifts. */
const ALIKE_STRENGTH = 0.6;
/** Strength of the prior that shifts lie on a plane. */
const EVEN_STRENGTH = 6;
/** Number of units of a shift per size of the face. */
const UNITS_PER_SIZE = 144;

/** Share of the points that must agree for a reliable shift. */
const MIN_AGREEING_SHARE = 0.45;
/**
 * Typical difference, levels, above which the views show different things: motion blur, a flash, an
 * occluder.
 */
const MAX_DEVIATION_LEVELS = 6;
/** Shift, in sizes of the face, above which slopes cannot measure it. */
const MAX_SHIFT_SIZES = 0.03;

/**
 * Finds how the error of the mesh changes from one view of the skin to the next. If the mesh
 * followed the head exactly, the same points of the surface would look the same except for light.
 * The differences in grey are explained by a small shift of the mesh, bilinear between the nodes of
 * `surface-samples.ts`, and by a change of light (linear over the face, and its contrast).
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
   * Returns the change of the mesh's error from `before` to `after`, in the frame's pixels: how far
   * the skin moved beyond the mesh. First x of all nodes, then y.
   * @returns null if the views do not show the same skin
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
    if (points < MIN_POINTS || agreeing < MIN_AGREEING_SHARE || deviation > MAX_DEVIATION_LEVELS) return null;
    const shift = new Float32Array(2 * NODE_COUNT);
    for (let i = 0; i < shift.length; i++) {
      if (Math.abs(this.#solution[i]!) * factor > MAX_SHIFT_SIZES * size) return null;
      shift[i] = this.#solution[i]! * factor;
    }
    return shift;
  }
}

/** Returns the priors about the shifts along one axis, `NODE_COUNT` squared. */
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

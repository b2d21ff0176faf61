import type { PointView, RegisteredPoints, Registration } from '../plain/register-points.ts';
import * as plain from '../plain/register-points.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyInTogether, copyOut, fitsStage, reserve } from '../wasm/stage.ts';

export type { RegisteredPoints } from '../plain/register-points.ts';

/** Smallest number of points for a reliable shift. */
export const MIN_POINTS = plain.MIN_POINTS;

/**
 * Number of unknowns that describe a change of light between two views: a step in brightness, its
 * slopes across and down the face, and contrast.
 */
export const LIGHT = 4;

/**
 * Finds the small shift (bilinear between the nodes) and the change of light that together explain
 * how two views of the same points differ in grey.
 *
 * The method is that of Lucas and Kanade 1981, with the mean slope of both views (Benhimane and
 * Malis 2004: second order in one step) and Tukey's weights against outliers.
 * @param solution written, `2 * nodeCount + LIGHT` values: the nodes' shifts in x, then in y, both
 * in pixels of the views, then the change of light
 */
export function registerPoints(
  points: RegisteredPoints,
  before: PointView,
  after: PointView,
  unitsPerPixel: number,
  solution: Float64Array,
): Registration {
  const { count, columns, nodeCount, first, shares, across, down, prior } = points;
  const unknowns = solution.length;
  const workBytes = 8 * unknowns * (unknowns + 1) + 64 * count + 4 * (unknowns + 256) + 1024;
  if (!fitsStage(12 * 4 * count + shares.byteLength + prior.byteLength + workBytes)) {
    return plain.registerPoints(points, before, after, unitsPerPixel, solution);
  }
  const numbers = new Float32Array(3);
  const numbersAt = copyIn(numbers);
  const solutionAt = copyIn(solution);
  kernels().registerPoints(
    count,
    columns,
    nodeCount,
    copyIn(first),
    copyIn(shares),
    copyIn(across),
    copyIn(down),
    copyIn(prior),
    copyInTogether([before.grey, before.slopeX, before.slopeY, before.weight]),
    copyInTogether([after.grey, after.slopeX, after.slopeY, after.weight]),
    unitsPerPixel * unitsPerPixel,
    plain.MIN_DEVIATION,
    plain.MIN_POINTS,
    copyIn(Float32Array.from(plain.OUTLIER_ROUNDS)),
    plain.OUTLIER_ROUNDS.length,
    reserve(workBytes),
    solutionAt,
    numbersAt,
  );
  copyOut(solution, solutionAt);
  copyOut(numbers, numbersAt);
  const [deviation, agreeing, seen] = numbers as unknown as [number, number, number];
  return { deviation, agreeing, points: seen };
}

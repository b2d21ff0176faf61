import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { CanonicalFace } from '../../face/geometry/canonical-face.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import type { Similarity3d } from '../../face/geometry/rigid-fit.ts';
import { fitSimilarity3d } from '../../face/geometry/rigid-fit.ts';

/**
 * Cosine of a face's turn. 0 at `from`: only one side shows; 1 at `to`: the face counts for the
 * shape.
 */
const SHOWN_STRAIGHT: Ramp = { from: 0.7, to: 0.95 };
/** Smallest weight, for turned faces. */
const MIN_WEIGHT = 0.01;

/**
 * Averages many meshes of one face. Each is turned straight and scaled to the canonical face's size
 * and axes (x right, y down, z away). Expressions cancel out.
 */
export class MeanShape {
  readonly #upright: Float32Array;
  readonly #poseWeights: Float32Array;
  readonly #sum = new Float64Array(MESH_VERTEX_COUNT * 3);
  #total = 0;

  constructor({ vertices, poseWeights }: CanonicalFace) {
    this.#upright = inImageAxes(vertices);
    this.#poseWeights = poseWeights;
  }

  /**
   * @param mesh 468 x (x, y, z); further values are ignored @param worth weight among all meshes,
   * above 0
   */
  add(mesh: Float32Array, worth: number): void {
    const turned = fitSimilarity3d(mesh, this.#upright, this.#poseWeights);
    const weight = worth * (MIN_WEIGHT + ramp(SHOWN_STRAIGHT, turned.rotation[8]!));
    this.#total += weight;
    for (let axis = 0; axis < 3; axis++) addTurned(mesh, turned, axis, weight, this.#sum);
  }

  /** Returns the mean of all meshes that were added, 468 x (x, y, z). */
  get shape(): Float32Array {
    return Float32Array.from(this.#sum, (value) => value / this.#total);
  }
}

/** Returns the mean shape of some meshes, each with its worth. */
export function meanShape(
  canonical: CanonicalFace,
  meshes: readonly Float32Array[],
  worths: readonly number[],
): Float32Array {
  const mean = new MeanShape(canonical);
  for (const [k, mesh] of meshes.entries()) mean.add(mesh, worths[k]!);
  return mean.shape;
}

/** Adds one axis of the turned mesh, in a separate function because V8 compiles it sooner. */
function addTurned(
  mesh: Float32Array,
  { scale, rotation, translation }: Similarity3d,
  axis: number,
  weight: number,
  sum: Float64Array,
): void {
  const [a, b, c] = [3 * axis, 3 * axis + 1, 3 * axis + 2].map((r) => weight * scale * rotation[r]!) as [
    number,
    number,
    number,
  ];
  const d = weight * translation[axis]!;
  for (let i = 0; i < 3 * MESH_VERTEX_COUNT; i += 3)
    sum[i + axis]! += a * mesh[i]! + b * mesh[i + 1]! + c * mesh[i + 2]! + d;
}

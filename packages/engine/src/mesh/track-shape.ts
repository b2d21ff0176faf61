import type { CanonicalFace } from '../face/canonical-face.ts';
import { MESH_VERTEX_COUNT } from '../face/face.ts';
import { fitSimilarity3d } from '../face/rigid-fit.ts';
import type { ShapeModel } from './shape-model.ts';
import { movable, transferShape } from './shape.ts';
import { vertexFacing } from './vertex-facing.ts';

/** The source's proportions on one target face: the displacement is found once and turned along with the head. */
export class TrackShape {
  readonly #shapes: ShapeModel;
  readonly #poseWeights: Float32Array;
  readonly #mean: Float32Array;
  /** Of each vertex in the mean shape's axes. */
  readonly #displacement: Float32Array;
  readonly #mesh = new Float32Array(MESH_VERTEX_COUNT * 3);

  constructor(shapes: ShapeModel, canonical: CanonicalFace, source: Float32Array, mean: Float32Array) {
    this.#shapes = shapes;
    this.#poseWeights = canonical.poseWeights;
    this.#mean = mean;
    this.#displacement = transferShape(shapes, source, mean, 1).map((value, i) => value - mean[i]!);
  }

  /**
   * The face's mesh with `share` (0..1) of the source's proportions, overwritten by the next call.
   * @param landmarks 468 x (x, y, z)
   */
  place(landmarks: Float32Array, share: number): Float32Array {
    const { scale, rotation } = fitSimilarity3d(this.#mean, landmarks, this.#poseWeights);
    const facing = vertexFacing(landmarks, this.#shapes.triangles);
    const mesh = this.#mesh;
    const moved = this.#displacement;
    for (let v = 0, i = 0; v < MESH_VERTEX_COUNT; v++, i += 3) {
      const x = moved[i]!;
      const y = moved[i + 1]!;
      const z = moved[i + 2]!;
      if (x === 0 && y === 0 && z === 0) {
        mesh[i] = landmarks[i]!;
        mesh[i + 1] = landmarks[i + 1]!;
        mesh[i + 2] = landmarks[i + 2]!;
        continue;
      }
      const reach = share * scale * movable(this.#shapes, facing, v);
      mesh[i] = landmarks[i]! + reach * (rotation[0]! * x + rotation[1]! * y + rotation[2]! * z);
      mesh[i + 1] = landmarks[i + 1]! + reach * (rotation[3]! * x + rotation[4]! * y + rotation[5]! * z);
      mesh[i + 2] = landmarks[i + 2]! + reach * (rotation[6]! * x + rotation[7]! * y + rotation[8]! * z);
    }
    return mesh;
  }
}

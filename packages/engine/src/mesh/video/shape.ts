import type { CanonicalFace } from '../../face/geometry/canonical-face.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import { fitSimilarity3d } from '../../face/geometry/rigid-fit.ts';
import { MeanShape } from '../shape/mean-shape.ts';
import type { ShapeModel } from '../shape/shape-model.ts';
import { movable, transferShape } from '../shape/shape.ts';
import type { MouthWidths } from './mouth-stretch.ts';
import { mouthWidth, mouthWidths, stretchOf } from './mouth-stretch.ts';
import { vertexFacing } from '../uv/vertex-facing.ts';

/**
 * Weight of one of the first meshes; later ones have 1. Consecutive frames show nearly the same
 * shape.
 */
const FIRST_MESH_WEIGHT = 0.25;
/** Number of meshes after which the mean shape is known. */
const LEARNED_COUNT = 60;
/** Share of the way to the last learned shape that the shape moves in each frame. */
const SHAPE_EASE = 0.1;

/** Knowledge about a target's face before its first frame. */
export interface KnownFace {
  /** Meshes of the face in some frames, 468 x (x, y, z). */
  readonly meshes: readonly Float32Array[];
  /**
   * Whether the meshes come from the whole clip. The shape is then fixed, and equal in every part.
   */
  readonly isWholeClip: boolean;
}

/**
 * Gives one target face the source's proportions: computes the displacement from time to time, and
 * turns it with the head.
 */
export class TrackShape {
  readonly #shapes: ShapeModel;
  readonly #poseWeights: Float32Array;
  readonly #source: Float32Array;
  readonly #means: MeanShape;
  #learned = 0;
  #mean: Float32Array;
  /** Offset of each vertex in the mean shape's axes. */
  readonly #displacement: Float32Array;
  #wanted: Float32Array;
  /** Change of each vertex's offset that takes back the widening of the mouth. */
  readonly #unstretched: Float32Array;
  #wantedUnstretched: Float32Array;
  #widths: MouthWidths;
  readonly #mesh = new Float32Array(MESH_VERTEX_COUNT * 3);

  /** @param source its landmarks @param known properties of the target's face */
  constructor(
    shapes: ShapeModel,
    canonical: CanonicalFace,
    source: Float32Array,
    { meshes, isWholeClip }: KnownFace,
  ) {
    this.#shapes = shapes;
    this.#poseWeights = canonical.poseWeights;
    this.#source = source;
    this.#means = new MeanShape(canonical);
    for (const mesh of meshes) this.#means.add(mesh, FIRST_MESH_WEIGHT);
    if (isWholeClip) this.#learned = LEARNED_COUNT;
    this.#mean = this.#means.shape;
    this.#wanted = this.#displacementFor(this.#mean);
    this.#displacement = this.#wanted.slice();
    this.#wantedUnstretched = this.#unstretchedFor(this.#mean, this.#wanted);
    this.#unstretched = this.#wantedUnstretched.slice();
    this.#widths = this.#widthsFor(this.#mean, this.#wanted);
  }

  /**
   * Learns another mesh of the target's face, 468 x (x, y, z), because one expression alone does
   * not show the shape.
   */
  learn(mesh: Float32Array): void {
    if (this.#learned === LEARNED_COUNT) return;
    this.#learned += 1;
    this.#means.add(mesh, 1);
    this.#mean = this.#means.shape;
    this.#wanted = this.#displacementFor(this.#mean);
    this.#wantedUnstretched = this.#unstretchedFor(this.#mean, this.#wanted);
    this.#widths = this.#widthsFor(this.#mean, this.#wanted);
  }

  /**
   * Returns the face's mesh with `share` (0..1) of the source's proportions. The next call
   * overwrites the mesh.
   * @param landmarks 468 x (x, y, z)
   */
  place(landmarks: Float32Array, share: number): Float32Array {
    const { scale, rotation } = fitSimilarity3d(this.#mean, landmarks, this.#poseWeights);
    const facing = vertexFacing(landmarks, this.#shapes.triangles);
    const mesh = this.#mesh;
    const moved = this.#displacement;
    const wanted = this.#wanted;
    const unstretched = this.#unstretched;
    const wantedUnstretched = this.#wantedUnstretched;
    for (let i = 0; i < moved.length; i++) {
      moved[i]! += SHAPE_EASE * (wanted[i]! - moved[i]!);
      unstretched[i]! += SHAPE_EASE * (wantedUnstretched[i]! - unstretched[i]!);
    }
    const calm = 1 - stretchOf(this.#widths, mouthWidth(landmarks) / scale);
    for (let v = 0, i = 0; v < MESH_VERTEX_COUNT; v++, i += 3) {
      const x = moved[i]! + calm * unstretched[i]!;
      const y = moved[i + 1]! + calm * unstretched[i + 1]!;
      const z = moved[i + 2]! + calm * unstretched[i + 2]!;
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

  #displacementFor(mean: Float32Array): Float32Array {
    return difference(transferShape(this.#shapes, this.#source, mean, 1), mean);
  }

  #unstretchedFor(mean: Float32Array, displacement: Float32Array): Float32Array {
    const calm = difference(transferShape(this.#shapes, this.#source, mean, 1, { stretchShare: 1 }), mean);
    return difference(calm, displacement);
  }

  #widthsFor(mean: Float32Array, displacement: Float32Array): MouthWidths {
    const { scale } = fitSimilarity3d(this.#source, mean, this.#poseWeights);
    const widened = mean.map((value, i) => value + displacement[i]!);
    return mouthWidths(this.#source, scale, mean, widened);
  }
}

/** Subtracts a mesh from another in place. */
function difference(from: Float32Array, other: Float32Array): Float32Array {
  for (let i = 0; i < from.length; i++) from[i]! -= other[i]!;
  return from;
}

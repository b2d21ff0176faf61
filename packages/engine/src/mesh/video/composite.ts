import { faceAllowance, type Occluders } from '@guise/kernels/face/face-allowance.ts';
import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import type { FaceTexels } from '@guise/kernels/face/paint-face.ts';
import { paintFace, STILL, UNPAINTED } from '@guise/kernels/face/paint-face.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import { edgeRadius } from '../draw/allowance.ts';
import { softenContours } from '../draw/soften-contours.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';

/**
 * Draws the same picture as `compositeFace`, but directly into the planes of a video frame. Luma is
 * drawn at each pixel and chroma at its samples, so nothing is converted to RGB. Samples outside
 * the drawing keep their bits.
 */
export class TrackComposite {
  readonly #layout: AtlasGeometry;
  /**
   * Triangles from far to near in the previous frame. Their order hardly changes between frames.
   */
  readonly #order: Uint16Array;
  readonly #depth: Float32Array;
  readonly #shown: Uint16Array;
  readonly #isShown: Uint8Array;
  readonly #flags: Uint8Array;
  readonly #points = new Float32Array(MESH_VERTEX_COUNT * 2);
  readonly #sourceAt = new Float32Array(MESH_VERTEX_COUNT * 2);

  constructor(layout: AtlasGeometry) {
    const count = layout.triangles.length / 3;
    this.#layout = layout;
    this.#order = Uint16Array.from({ length: count }, (_, t) => t);
    this.#depth = new Float32Array(count);
    this.#shown = new Uint16Array(count * 3);
    this.#isShown = new Uint8Array(count);
    this.#flags = new Uint8Array(count);
  }

  /**
   * Draws over the mesh `landmarks`, and moves the target's own pixels to this mesh from
   * `original`, the target's true mesh. Both meshes are 468 x (x, y, z) in pixels of the planes'
   * part. Only pixels whose centre is inside the true mesh change.
   * @param texture in the frame's colours
   * @param occluders things that stay in front, in the target's atlas; or null
   */
  draw(
    planes: FramePlanes,
    texture: FaceTexels,
    occluders: Occluders | null,
    original: Float32Array,
    landmarks: Float32Array,
  ): void {
    const { width, height } = planes;
    using space = new Workspace();
    const allowance = space.uninitialised(width * height);
    const points = this.#sourceAt;
    flatten(original, points);
    this.#allow(points, width, height, occluders, allowance);
    flatten(landmarks, this.#points);
    const count = this.#arrange(original, landmarks);
    const face = {
      points: this.#points,
      texelAt: this.#layout.points,
      sourceAt: this.#sourceAt,
      triangles: this.#shown.subarray(0, 3 * count),
      flags: this.#flags.subarray(0, count),
    };
    paintFace(planes, face, texture, allowance);
    const isPainted = (texel: number): boolean => texture.texels[2 * texel + 1]! > 0;
    const luma = { width, height, data: planes.data[0], stride: planes.strides[0], channels: 1 };
    const drawn = { points: this.#points, isShown: this.#isShown, isPainted, allowance };
    softenContours(luma, this.#layout, drawn);
  }

  #allow(
    points: Float32Array,
    width: number,
    height: number,
    occluders: Occluders | null,
    out: Float32Array,
  ): void {
    const { points: texelAt, triangles } = this.#layout;
    let left = Infinity;
    let right = -Infinity;
    for (let i = 0; i < points.length; i += 2) {
      left = Math.min(left, points[i]!);
      right = Math.max(right, points[i]!);
    }
    const radius = edgeRadius(Math.min(width, right - left));
    faceAllowance({ points, texelAt, triangles }, width, height, radius, occluders, out);
  }

  /**
   * Writes the triangles that face the camera to `#shown` and `#flags`, far ones first.
   * @returns the number of these triangles
   */
  #arrange(original: Float32Array, mesh: Float32Array): number {
    const { triangles, points, isMouth } = this.#layout;
    const order = this.#order;
    const depth = this.#depth;
    for (let t = 0, i = 0; t < depth.length; t++, i += 3)
      depth[t] =
        mesh[3 * triangles[i]! + 2]! + mesh[3 * triangles[i + 1]! + 2]! + mesh[3 * triangles[i + 2]! + 2]!;
    for (let k = 1; k < order.length; k++) {
      const t = order[k]!;
      const own = depth[t]!;
      let at = k;
      for (; at > 0 && depth[order[at - 1]!]! < own; at--) order[at] = order[at - 1]!;
      order[at] = t;
    }
    let count = 0;
    for (let k = 0; k < order.length; k++) {
      const t = order[k]!;
      const a = triangles[3 * t]!;
      const b = triangles[3 * t + 1]!;
      const c = triangles[3 * t + 2]!;
      this.#isShown[t] = turn(this.#points, a, b, c) * turn(points, a, b, c) > 0 ? 1 : 0;
      if (this.#isShown[t] === 0) continue;
      this.#shown[3 * count] = a;
      this.#shown[3 * count + 1] = b;
      this.#shown[3 * count + 2] = c;
      const still = isStill(original, mesh, a) && isStill(original, mesh, b) && isStill(original, mesh, c);
      // The target's own teeth and tongue show between the lips.
      this.#flags[count] = (still ? STILL : 0) | (isMouth[t] === 0 ? 0 : UNPAINTED);
      count += 1;
    }
    return count;
  }
}

function flatten(mesh: Float32Array, out: Float32Array): void {
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    out[2 * v] = mesh[3 * v]!;
    out[2 * v + 1] = mesh[3 * v + 1]!;
  }
}

function turn(points: Float32Array, a: number, b: number, c: number): number {
  const x = points[2 * a]!;
  const y = points[2 * a + 1]!;
  return (points[2 * b]! - x) * (points[2 * c + 1]! - y) - (points[2 * b + 1]! - y) * (points[2 * c]! - x);
}

function isStill(original: Float32Array, moved: Float32Array, v: number): boolean {
  return original[3 * v] === moved[3 * v]! && original[3 * v + 1] === moved[3 * v + 1]!;
}

import { clamp } from '@guise/kernels/clamp.ts';
import { boxOfPoints } from '../geometry/box.ts';
import type { Box } from '../geometry/box.ts';
import { MESH_VERTEX_COUNT } from '../geometry/face.ts';
import type { FaceTrack } from './face-track.ts';
import { translated } from '../geometry/landmark-transforms.ts';
import type { MeshRecord } from '../geometry/mesh-record.ts';
import { sideLight } from '../geometry/side-light.ts';
import { QuietFace } from './quiet-face.ts';
import type { LumaView } from '../frame/scene-cuts.ts';
import type { SteadyTools } from '../steady/steady-track.ts';
import { SteadyTrack } from '../steady/steady-track.ts';

/** Largest factor by which a face may grow or shrink from one frame to the next. */
const MAX_GROWTH = 1.5;
/** Largest distance that a face may move from one frame to the next, in its sizes. */
const MAX_MOVE_SIZES = 0.6;
/** Largest number of embeddings of a track. */
export const MAX_EMBEDDINGS = 8;
/** Time between two embeddings. */
const EMBEDDING_INTERVAL_SECONDS = 1;
/** Time by which an embedding may be early. */
const EMBEDDING_EARLY_SECONDS = 0.8;
/** Age from which a face that is only seen from the side is embedded as it is. */
const FRONTAL_PATIENCE_SECONDS = 2;

/** A face that is followed from frame to frame. */
export class LiveTrack implements FaceTrack {
  readonly firstFrame: number;
  readonly embeddings: Float32Array[] = [];
  readonly steady: SteadyTrack;
  readonly quiet = new QuietFace();
  presence = 0;
  /** Landmarks in the last frame, 478 x (x, y, z), pixels. */
  landmarks: Float32Array;
  box: Box;
  /** Motion of the box's centre in the last frame, pixels. */
  #dx = 0;
  #dy = 0;
  #litFromSum = 0;

  constructor(firstFrame: number, landmarks: Float32Array, tools: SteadyTools) {
    this.firstFrame = firstFrame;
    this.landmarks = landmarks;
    this.box = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
    this.steady = new SteadyTrack(tools);
  }

  get length(): number {
    return this.steady.length;
  }

  get litFrom(): number {
    return this.#litFromSum / Math.max(1, this.length);
  }

  place(frame: number): MeshRecord {
    return this.steady.place(frame - this.firstFrame);
  }

  mesh(frame: number): MeshRecord {
    return this.steady.mesh(frame - this.firstFrame);
  }

  /** Adds the face in the next frame. @param duration since the frame before, seconds */
  take(landmarks: Float32Array, luma: LumaView, timeSeconds: number, duration: number): void {
    const box = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
    this.#dx = (box.left + box.right - this.box.left - this.box.right) / 2;
    this.#dy = (box.top + box.bottom - this.box.top - this.box.bottom) / 2;
    this.landmarks = landmarks;
    this.box = box;
    this.steady.push(landmarks, luma, timeSeconds);
    this.#litFromSum += sideLight((vertex) =>
      lumaAt(luma, landmarks[3 * vertex]!, landmarks[3 * vertex + 1]!),
    );
    this.presence += (box.right - box.left) * (box.bottom - box.top) * duration;
  }

  /** Whether the face is seen from the front, where it can be told from others. */
  get isFrontal(): boolean {
    return isFrontal(this.landmarks);
  }

  /** Predicts the landmarks `frames` after the last one, if the motion continues. */
  expected(frames: number): Float32Array {
    return translated(this.landmarks, frames * this.#dx, frames * this.#dy);
  }

  /**
   * Returns whether a box can be that of this face a frame later. A mesh that jumps or grows
   * suddenly has lost its face.
   */
  canReach(box: Box): boolean {
    const before = longerSide(this.box);
    const growth = longerSide(box) / before;
    const move = Math.hypot(
      (box.left + box.right - this.box.left - this.box.right) / 2,
      (box.top + box.bottom - this.box.top - this.box.bottom) / 2,
    );
    return growth < MAX_GROWTH && growth > 1 / MAX_GROWTH && move < MAX_MOVE_SIZES * before;
  }

  /**
   * Returns whether an embedding is due: one at first, then one from time to time.
   * @param ageSeconds since its first frame
   * @param patienceSeconds age from which a face seen from the side is embedded as it is
   */
  isEmbeddingDue(ageSeconds: number, patienceSeconds = FRONTAL_PATIENCE_SECONDS): boolean {
    const seen = this.embeddings.length;
    if (seen >= MAX_EMBEDDINGS) return false;
    if (seen > 0 && ageSeconds < seen * EMBEDDING_INTERVAL_SECONDS - EMBEDDING_EARLY_SECONDS) return false;
    return ageSeconds >= patienceSeconds || isFrontal(this.landmarks);
  }
}

/** Returns the luma of the pixel at a point, or of the nearest pixel. */
function lumaAt({ data, stride, width, height }: LumaView, x: number, y: number): number {
  const column = clamp(Math.floor(x), 0, width - 1);
  return data[clamp(Math.floor(y), 0, height - 1) * stride + column]!;
}

/** Returns the size of a face, pixels. */
export function longerSide(box: Box): number {
  return Math.max(box.right - box.left, box.bottom - box.top);
}

/** Vertex at the tip of the nose. */
const NOSE_VERTEX = 1;
/** Outermost vertex of the mesh at the right ear. */
const RIGHT_SIDE_VERTEX = 234;
/** Outermost vertex of the mesh at the left ear. */
const LEFT_SIDE_VERTEX = 454;

/**
 * Returns whether the nose is well inside the face's width. From the side, faces are hard to tell
 * apart.
 */
function isFrontal(landmarks: Float32Array): boolean {
  const ax = landmarks[3 * RIGHT_SIDE_VERTEX]!;
  const ay = landmarks[3 * RIGHT_SIDE_VERTEX + 1]!;
  const ux = landmarks[3 * LEFT_SIDE_VERTEX]! - ax;
  const uy = landmarks[3 * LEFT_SIDE_VERTEX + 1]! - ay;
  const along =
    ((landmarks[3 * NOSE_VERTEX]! - ax) * ux + (landmarks[3 * NOSE_VERTEX + 1]! - ay) * uy) /
    (ux * ux + uy * uy + 1e-6);
  return along > 0.22 && along < 0.78;
}

import { boxOfPoints } from './box.ts';
import type { Box } from './box.ts';
import { MESH_VERTEX_COUNT } from './face.ts';
import type { FaceTrack } from './face-track.ts';
import { translated } from './landmark-transforms.ts';
import type { MeshRecord } from './mesh-record.ts';
import { QuietFace } from './quiet-face.ts';
import type { LumaView } from './scene-cuts.ts';
import type { SteadyTools } from './steady-track.ts';
import { SteadyTrack } from './steady-track.ts';

/** How far a face may grow, shrink or move (in its sizes) from one frame to the next. */
const MOST_GROWTH = 1.5;
const MOST_MOVE = 0.6;
/** Looks that tell who a face is, and how long it is from one to the next, about. */
const MOST_EMBEDDINGS = 8;
const EMBEDDING_INTERVAL_SECONDS = 1;
const EMBEDDING_EARLY_SECONDS = 0.8;
/** For so long a face that is seen from the side is given to turn to the camera before it is looked at. */
const FRONTAL_PATIENCE_SECONDS = 2;

/** A face that is followed from frame to frame. */
export class LiveTrack implements FaceTrack {
  readonly firstFrame: number;
  readonly embeddings: Float32Array[] = [];
  readonly steady: SteadyTrack;
  readonly quiet = new QuietFace();
  presence = 0;
  /** In its last frame, 478 x (x, y, z), pixels. */
  landmarks: Float32Array;
  box: Box;
  /** Motion of the box's centre in the last frame, pixels. */
  #dx = 0;
  #dy = 0;

  constructor(firstFrame: number, landmarks: Float32Array, tools: SteadyTools) {
    this.firstFrame = firstFrame;
    this.landmarks = landmarks;
    this.box = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
    this.steady = new SteadyTrack(tools);
  }

  get length(): number {
    return this.steady.length;
  }

  place(frame: number): MeshRecord {
    return this.steady.place(frame - this.firstFrame);
  }

  mesh(frame: number): MeshRecord {
    return this.steady.mesh(frame - this.firstFrame);
  }

  /** The face in the next frame. @param duration since the frame before, seconds */
  take(landmarks: Float32Array, luma: LumaView, timeSeconds: number, duration: number): void {
    const box = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
    this.#dx = (box.left + box.right - this.box.left - this.box.right) / 2;
    this.#dy = (box.top + box.bottom - this.box.top - this.box.bottom) / 2;
    this.landmarks = landmarks;
    this.box = box;
    this.steady.push(landmarks, luma, timeSeconds);
    this.presence += (box.right - box.left) * (box.bottom - box.top) * duration;
  }

  /** Its landmarks so many frames after the last one, if it goes on as it went. */
  expected(frames: number): Float32Array {
    return translated(this.landmarks, frames * this.#dx, frames * this.#dy);
  }

  /** Whether a box can be its own a frame later: a mesh that jumps or bursts has lost its face. */
  canReach(box: Box): boolean {
    const before = longerSide(this.box);
    const growth = longerSide(box) / before;
    const move = Math.hypot(
      (box.left + box.right - this.box.left - this.box.right) / 2,
      (box.top + box.bottom - this.box.top - this.box.bottom) / 2,
    );
    return growth < MOST_GROWTH && growth > 1 / MOST_GROWTH && move < MOST_MOVE * before;
  }

  /** Whether it is time for a look that tells who it is: at first, then now and then. @param ageSeconds since its first frame */
  isEmbeddingDue(ageSeconds: number): boolean {
    const seen = this.embeddings.length;
    if (seen >= MOST_EMBEDDINGS) return false;
    if (seen > 0 && ageSeconds < seen * EMBEDDING_INTERVAL_SECONDS - EMBEDDING_EARLY_SECONDS) return false;
    return ageSeconds >= FRONTAL_PATIENCE_SECONDS || isFrontal(this.landmarks);
  }
}

/** Of a face, pixels. */
export function longerSide(box: Box): number {
  return Math.max(box.right - box.left, box.bottom - box.top);
}

/** Nose tip, and the mesh's outermost vertices beside the ears. */
const NOSE = 1;
const RIGHT_SIDE = 234;
const LEFT_SIDE = 454;

/** Whether the nose lies well inside the face's width: from the side a face is hard to tell from another. */
function isFrontal(landmarks: Float32Array): boolean {
  const ax = landmarks[3 * RIGHT_SIDE]!;
  const ay = landmarks[3 * RIGHT_SIDE + 1]!;
  const ux = landmarks[3 * LEFT_SIDE]! - ax;
  const uy = landmarks[3 * LEFT_SIDE + 1]! - ay;
  const along =
    ((landmarks[3 * NOSE]! - ax) * ux + (landmarks[3 * NOSE + 1]! - ay) * uy) / (ux * ux + uy * uy + 1e-6);
  return along > 0.22 && along < 0.78;
}

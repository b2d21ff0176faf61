import type { MeshRecord } from '../geometry/mesh-record.ts';

/** One face through the consecutive frames of one scene. */
export interface FaceTrack {
  readonly firstFrame: number;
  /** Number of frames, up to the last one read if the face is still there. */
  readonly length: number;
  /** Embeddings of the face at several moments, which tell who it is. */
  readonly embeddings: readonly Float32Array[];
  /** Face area summed over time, pixels times seconds. */
  readonly presence: number;
  /** Side from which the face is lit, as the mean over its frames; see `sideLight`. */
  readonly litFrom: number;
  /** Returns roughly where the face is in a frame of the clip. */
  place(frame: number): MeshRecord;
  /**
   * Returns the mesh of the face in a frame, as steady as the known frames allow (`SteadyTrack`).
   */
  mesh(frame: number): MeshRecord;
}

/** What is known so far about the faces of a clip. */
export interface ClipFaces {
  readonly tracks: readonly FaceTrack[];
  /** Time of each frame, seconds. */
  readonly times: readonly number[];
  /** Frames that begin a new scene. */
  readonly cuts: ReadonlySet<number>;
}

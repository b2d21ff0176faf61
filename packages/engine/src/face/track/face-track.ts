import type { MeshRecord } from '../geometry/mesh-record.ts';

/** One face through the consecutive frames of one scene. */
export interface FaceTrack {
  readonly firstFrame: number;
  /** Frames, up to the last one looked at if the face is still there. */
  readonly length: number;
  /** Who it is, seen at several moments. */
  readonly embeddings: readonly Float32Array[];
  /** Face area summed over time, pixels times seconds. */
  readonly presence: number;
  /** Side from which the face is lit, mean of its frames; see `sideLight`. */
  readonly litFrom: number;
  /** Where the face is in a frame of the clip, nearly. */
  place(frame: number): MeshRecord;
  /** Mesh of the face in a frame, as steady as the frames known so far allow (`SteadyTrack`). */
  mesh(frame: number): MeshRecord;
}

/** What the looks at a clip's frames tell so far. */
export interface ClipFaces {
  readonly tracks: readonly FaceTrack[];
  /** Seconds of each frame. */
  readonly times: readonly number[];
  /** Frames that begin a new scene. */
  readonly cuts: ReadonlySet<number>;
}

import type { FaceTrack } from '../face/track/face-track.ts';
import type { TrackSwapper } from '../mesh/video/track-swapper.ts';

/** Draws a source on one person's faces in a clip, frame by frame. */
export interface ClipDrawer extends Pick<TrackSwapper, 'draw'> {
  /** Share of each photo of the source in the drawn face. */
  readonly shares: readonly number[];
  /** Returns whether these faces need the same preparation. */
  suits(tracks: readonly FaceTrack[]): boolean;
  /** Releases its memory. */
  close(): void;
}

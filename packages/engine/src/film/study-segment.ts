import { loadCanonicalFace } from '../face/geometry/canonical-face.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import type { ClipFaces } from '../face/track/face-track.ts';
import { FaceTracks } from '../face/track/face-tracks.ts';
import type { FaceAnalyser } from '../face/detect/analyser.ts';
import { writeStudy } from './segment-study.ts';

/**
 * Time before a segment from which its frames are studied. Filters and tracks forget their
 * beginning sooner.
 */
export const STUDY_LEAD_SECONDS = 1.2;
/**
 * Time after a segment up to which its frames are studied, which is longer than a gap that is
 * bridged.
 */
export const STUDY_TRAIL_SECONDS = 0.7;

/** The faces of some frames of a film. */
export interface StudiedFrames {
  readonly faces: ClipFaces;
  /** Time stamp of each frame, in ticks since the film's first picture. */
  readonly ticks: readonly number[];
}

/**
 * Study of one segment of a film, which finds who is where, but does not decide whom the film is
 * about.
 */
export interface OpenStudy {
  /**
   * Reads the next frame. The caller keeps each frame until the frame after it has been read.
   * @param tick time stamp, in ticks since the film's first picture
   */
  look(frame: VideoFrame, tick: number): Promise<void>;
  /** Reads what the last frame left open. The caller still keeps that frame. */
  end(): Promise<void>;
  /** Returns the result, after `end`. */
  finish(): StudiedFrames;
}

/**
 * Opens the study of a segment.
 * @param isApart whether people must be kept apart who meet, because several of them get new faces
 */
export async function openStudy(analyser: FaceAnalyser, isApart: boolean): Promise<OpenStudy> {
  const faces = new FaceTracks(analyser, await loadCanonicalFace(), isApart);
  const ticks: number[] = [];
  return {
    async look(frame, tick) {
      ticks.push(tick);
      await faces.look(frame);
    },
    async end() {
      await faces.readLeft();
      faces.finish();
    },
    finish() {
      const { times, cuts } = faces;
      return { faces: { times, cuts, tracks: faces.tracks.filter(({ length }) => length > 0) }, ticks };
    },
  };
}

/**
 * Packs the study of a segment.
 * @param about data to store with it
 * @returns a file for `readStudy`
 */
export function packStudy({ faces: { tracks, cuts }, ticks }: StudiedFrames, about: unknown): Buffer {
  const meshes = tracks.map((track) =>
    Array.from({ length: track.length }, (_, i) => track.mesh(track.firstFrame + i)),
  );
  const study = {
    ticks,
    cuts: [...cuts],
    about,
    tracks: tracks.map(({ firstFrame, litFrom, embeddings }, k) => ({
      firstFrame,
      litFrom,
      embeddings,
      places: meshes[k]!.map(({ x, y, size }) => ({ x, y, size })),
    })),
  };
  return writeStudy(study, meshes);
}

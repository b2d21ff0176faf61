import { loadCanonicalFace } from '../face/geometry/canonical-face.ts';
import type { MeshRecord } from '../face/geometry/mesh-record.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
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
  /**
   * Returns the result, after `end`.
   * @param about data to store with the study
   * @returns the study's file, see `readStudy`
   */
  finish(about: unknown): Buffer;
}

/** Opens the study of a segment. */
export async function openStudy(analyser: FaceAnalyser): Promise<OpenStudy> {
  const faces = new FaceTracks(analyser, await loadCanonicalFace());
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
    finish(about) {
      const tracks = faces.tracks.filter(({ length }) => length > 0);
      const meshes = tracks.map(({ firstFrame, length, mesh }, k) =>
        Array.from({ length }, (_, i): MeshRecord => mesh.call(tracks[k]!, firstFrame + i)),
      );
      const study = {
        ticks,
        cuts: [...faces.cuts],
        about,
        tracks: tracks.map(({ firstFrame, litFrom, embeddings }, k) => ({
          firstFrame,
          litFrom,
          embeddings,
          places: meshes[k]!.map(({ x, y, size }) => ({ x, y, size })),
        })),
      };
      return writeStudy(study, meshes);
    },
  };
}

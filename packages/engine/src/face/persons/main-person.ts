import type { FaceTrack } from '../track/face-track.ts';
import type { FaceTracks } from '../track/face-tracks.ts';
import type { MeshRecord } from '../geometry/mesh-record.ts';
import type { TimedFace } from './person-timeline.ts';
import { BRIDGED_SECONDS, isNear, PersonTimeline } from './person-timeline.ts';
import { findPersons, isOf, type Person } from './persons.ts';

/** Largest number of tracks with which a new one is compared. A film can have thousands. */
const MAX_COMPARED_TRACKS = 24;
/** Share of the main person's presence up to which other people are not counted. */
const MIN_PRESENCE_SHARE = 0.02;
/** Difference of opacity in one frame that is invisible. */
const OPACITY_TOLERANCE = 0.02;

/** Counts the people other than the main person who appear for long enough. */
export function countOthers(main: Person, others: readonly Person[]): number {
  return others.filter(({ presence }) => presence > MIN_PRESENCE_SHARE * main.presence).length;
}

/** Facts about a clip that are known at its end. */
export interface WholeClip {
  /** People in the clip. */
  readonly facesFound: number;
  /** Whether the choices for its frames, made when less was known, are still right. */
  readonly wasRight: boolean;
}

/**
 * Finds the person whom a clip is about: the one with the largest face for the longest time. The
 * choice for each frame uses the clip so far; it is certain only after the clip's end.
 */
export class MainPerson {
  readonly #faces: FaceTracks;
  /** Tracks of the person whom the clip is about, as far as known; null before the first face. */
  #tracks: FaceTrack[] | null = null;
  #revision = -1;
  /** Person of the whole clip, after `finish`. */
  #timeline: PersonTimeline | null = null;
  /** Opacity and place that were returned for each frame before `finish`. */
  #said: { readonly opacity: number; readonly place: MeshRecord | null }[] = [];

  constructor(faces: FaceTracks) {
    this.#faces = faces;
  }

  /** Tracks that are known so far, in order. Empty before the first face is found. */
  get tracks(): readonly FaceTrack[] {
    return this.#tracks ?? [];
  }

  /** Whether the whole clip is known. */
  get isSure(): boolean {
    return this.#timeline !== null;
  }

  /**
   * Returns the person's face in a frame, or null if there is none. Ask for the frames in order,
   * and after `finish` once more from the first.
   */
  faceIn(frame: number): TimedFace | null {
    if (this.#timeline !== null) return this.#timeline.at(frame);
    const faces = this.#faces;
    const tracks = this.#tracksAt(frame);
    const around = tracks && new PersonTimeline(faces, { tracks }, this.#startOfTimeline(frame), faces.known);
    const face = around?.at(frame) ?? null;
    // A false find must not decide the choice.
    if (face !== null) this.#tracks = tracks;
    this.#said.push({ opacity: around?.opacityAt(frame) ?? 0, place: around?.placeAt(frame) ?? null });
    return face;
  }

  /**
   * Decides whom the clip is about, after its last frame.
   * @returns null if nobody is in the clip
   */
  finish(): WholeClip | null {
    const [main, ...others] = findPersons(this.#faces);
    const timeline = main && new PersonTimeline(this.#faces, main);
    if (!timeline || timeline.swappedFrames === 0) return null;
    const wasRight = this.#agreesWith(timeline);
    this.#timeline = timeline;
    this.#tracks = [...main.tracks];
    this.#said = [];
    return { facesFound: 1 + countOthers(main, others), wasRight };
  }

  /** Returns those tracks of the person that matter for this frame; null if nobody is in sight. */
  #tracksAt(frame: number): FaceTrack[] | null {
    const { tracks, times, cuts, revision } = this.#faces;
    const known = this.#tracks;
    const isNew = this.#revision !== revision;
    this.#revision = revision;
    if (known === null) {
      const lately = { times, cuts, tracks: tracks.slice(-MAX_COMPARED_TRACKS) };
      return findPersons(lately)[0]?.tracks.slice() ?? null;
    }
    if (!isNew) return known;
    for (const track of tracks.slice(-MAX_COMPARED_TRACKS)) {
      const isOver = track.firstFrame + track.length <= frame;
      if (isOver || known.includes(track)) continue;
      if (isOf(this.#faces, track, known.slice(-MAX_COMPARED_TRACKS))) known.push(track);
    }
    return known;
  }

  /** Returns the frame from which a timeline must know the clip to answer for `frame`. */
  #startOfTimeline(frame: number): number {
    const { times } = this.#faces;
    let start = Math.max(0, frame - 1);
    while (start > 0 && times[frame]! - times[start]! <= 2 * BRIDGED_SECONDS) start -= 1;
    return start;
  }

  /** Returns whether places and opacities that were returned are those of the whole clip. */
  #agreesWith(timeline: PersonTimeline): boolean {
    return this.#said.every(({ opacity, place }, frame) => {
      const right = timeline.placeAt(frame);
      const isSamePlace = right === null || place === null ? right === place : isNear(right, place);
      return isSamePlace && Math.abs(opacity - timeline.opacityAt(frame)) <= OPACITY_TOLERANCE;
    });
  }
}

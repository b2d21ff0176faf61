import type { FaceTrack } from '../track/face-track.ts';
import type { FaceTracks } from '../track/face-tracks.ts';
import type { MeshRecord } from '../geometry/mesh-record.ts';
import type { TimedFace } from './person-timeline.ts';
import { BRIDGED_SECONDS, isNear, PersonTimeline } from './person-timeline.ts';
import { findPersons, isOf, type Person } from './persons.ts';

/** Tracks that a new one is compared with at most: a film can have thousands. */
const MAX_COMPARED_TRACKS = 24;
/** Share of the main person's presence up to which others are not counted. */
const MIN_PRESENCE_SHARE = 0.02;
/** Difference of opacity in one frame that nobody sees. */
const OPACITY_TOLERANCE = 0.02;

/** Counts the people other than the main person who appear for long enough. */
export function countOthers(main: Person, others: readonly Person[]): number {
  return others.filter(({ presence }) => presence > MIN_PRESENCE_SHARE * main.presence).length;
}

/** What is known of a clip at its end. */
export interface WholeClip {
  /** People in the clip. */
  readonly facesFound: number;
  /** Whether the choice made for its frames, when less was known, still holds. */
  readonly wasRight: boolean;
}

/**
 * The person that a clip is about: the one who fills most of it for longest. Each frame's choice
 * rests on the clip so far; it is certain only after the clip's end.
 */
export class MainPerson {
  readonly #faces: FaceTracks;
  /** Tracks of the person that the clip is about as far as known; null before the first face. */
  #tracks: FaceTrack[] | null = null;
  #revision = -1;
  /** Person of the whole clip, once that is known. */
  #timeline: PersonTimeline | null = null;
  /** Opacity and place that were given for each frame before that. */
  #said: { readonly opacity: number; readonly place: MeshRecord | null }[] = [];

  constructor(faces: FaceTracks) {
    this.#faces = faces;
  }

  /** Tracks that are known so far, in order; empty before the first face was found. */
  get tracks(): readonly FaceTrack[] {
    return this.#tracks ?? [];
  }

  /** Whether the whole clip is known. */
  get isSure(): boolean {
    return this.#timeline !== null;
  }

  /**
   * The person's face in a frame, null for none. Frames in order; after `finish` once more from the
   * first.
   */
  faceIn(frame: number): TimedFace | null {
    if (this.#timeline !== null) return this.#timeline.at(frame);
    const faces = this.#faces;
    const tracks = this.#tracksAt(frame);
    const around = tracks && new PersonTimeline(faces, { tracks }, this.#startOfTimeline(frame), faces.known);
    const face = around?.at(frame) ?? null;
    // Nobody is chosen for a false find.
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

  /**
   * The person's tracks, those among them that say something of this frame; null where nobody is in
   * sight.
   */
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

  /** The frame from which a timeline must know the clip to tell of `frame`. */
  #startOfTimeline(frame: number): number {
    const { times } = this.#faces;
    let start = Math.max(0, frame - 1);
    while (start > 0 && times[frame]! - times[start]! <= 2 * BRIDGED_SECONDS) start -= 1;
    return start;
  }

  /** Whether the face was where, and shown as far as, the whole clip says it is. */
  #agreesWith(timeline: PersonTimeline): boolean {
    return this.#said.every(({ opacity, place }, frame) => {
      const right = timeline.placeAt(frame);
      const isSamePlace = right === null || place === null ? right === place : isNear(right, place);
      return isSamePlace && Math.abs(opacity - timeline.opacityAt(frame)) <= OPACITY_TOLERANCE;
    });
  }
}

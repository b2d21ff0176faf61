import type { MeshRecord } from '../face/geometry/mesh-record.ts';
import { countOthers } from '../face/persons/main-person.ts';
import { findPersons } from '../face/persons/persons.ts';
import { PersonTimeline } from '../face/persons/person-timeline.ts';
import type { ClipFaces, FaceTrack } from '../face/track/face-track.ts';
import { IdentityRhythm } from './identity-similarity.ts';
import { litFrom, meshesOf } from './fitted-source.ts';
import {
  type FilmPlan,
  MAX_FITTED_MESHES,
  type PlannedFace,
  type PlannedSegment,
} from '../film/film-plan.ts';
import { linkTracks, type PlacedStudy } from '../film/linked-tracks.ts';
import type { ReadStudy } from '../film/segment-study.ts';

/** A film whose segments have been studied. */
export interface StudiedFilm {
  readonly studies: readonly ReadStudy[];
  /** Ticks since the film's first picture at which the studied segments begin; the first is 0. */
  readonly starts: readonly number[];
  /** Length of a tick in seconds. */
  readonly tickSeconds: number;
  /** Further data to store with the plan. */
  readonly about: unknown;
}

/**
 * Longest time by which a boundary may move to a place where nothing carries over, such as a cut.
 */
const MAX_SEAM_MOVE_SECONDS = 4;
/** Smallest number of consecutive frames before a boundary that are drawn and thrown away. */
const LEAD_FRAMES = 12;
/** Time before a boundary in which such frames are drawn, if this gives more of them. */
const LEAD_SECONDS = 0.4;
/** Number of frames before those that are also drawn. Each of them is studied. */
const LEAD_STUDIES = 6;
/** Time between those frames. */
const LEAD_STUDY_SECONDS = 0.5;

/**
 * Decides whom a film is about, where that person's face is drawn, and where its segments meet. The
 * result depends only on the studies.
 * @returns null if no frame shows a face
 */
export function chooseFaces(film: StudiedFilm): FilmPlan | null {
  const { ticks, segments } = placeStudies(film);
  const times = ticks.map((tick) => Math.round(tick * film.tickSeconds * 1e6) / 1e6);
  const cuts = new Set(segments.flatMap(cutsOf));
  const clip: ClipFaces = { tracks: linkTracks(segments, times), times, cuts };
  const [main, ...others] = findPersons(clip);
  const timeline = main && new PersonTimeline(clip, main);
  if (!timeline || timeline.swappedFrames === 0) return null;
  const faces = new FilmFaces(timeline, ticks, main.tracks);
  const seams = seamsOf(film, faces, times);
  return {
    receipt: { facesFound: 1 + countOthers(main, others), ...faces.receipt },
    // Rounding may give one more than the limit.
    meshes: meshesOf(main.tracks, MAX_FITTED_MESHES).slice(0, MAX_FITTED_MESHES),
    litFrom: litFrom(main.tracks),
    segments: seams.map((first, k) => faces.segment(first, seams[k + 1] ?? ticks.length, times)),
    about: film.about,
  };
}

/** Joins the frames of all segments. Each frame comes from the segment that owns it. */
function placeStudies({ studies, starts }: StudiedFilm): { ticks: number[]; segments: PlacedStudy[] } {
  const ticks: number[] = [];
  const segments = studies.map((study, k) => {
    const end = starts[k + 1] ?? Infinity;
    const own = study.ticks.filter((tick) => tick >= starts[k]! && tick < end);
    const firstOwn = study.ticks.findIndex((tick) => tick >= starts[k]!);
    const firstInFilm = ticks.length;
    for (const tick of own) ticks.push(tick);
    return { study, firstOwn: Math.max(0, firstOwn), ownFrames: own.length, firstInFilm };
  });
  return { ticks, segments };
}

function cutsOf({ study, firstOwn, ownFrames, firstInFilm }: PlacedStudy): number[] {
  return study.cuts
    .filter((cut) => cut >= firstOwn && cut < firstOwn + ownFrames)
    .map((cut) => cut - firstOwn + firstInFilm);
}

/** Returns the frames at which drawn segments begin; the first is 0. */
function seamsOf({ starts, tickSeconds }: StudiedFilm, faces: FilmFaces, times: readonly number[]): number[] {
  const seams = [0];
  for (const start of starts.slice(1)) {
    const wanted = times.findIndex((time) => time >= start * tickSeconds);
    if (wanted > 0) seams.push(faces.seamNear(wanted, times));
  }
  return seams.filter((seam, k) => k === 0 || seam > seams[k - 1]!);
}

/** The faces to draw in a film, frame by frame. */
class FilmFaces {
  readonly #timeline: PersonTimeline;
  readonly #ticks: readonly number[];
  readonly #measured: ReadonlySet<number>;
  readonly receipt: Pick<FilmPlan['receipt'], 'frames' | 'longestGapFrames'>;

  constructor(timeline: PersonTimeline, ticks: readonly number[], tracks: readonly FaceTrack[]) {
    this.#timeline = timeline;
    this.#ticks = ticks;
    const swapped = ticks.map((_, frame) => frame).filter((frame) => timeline.isThere(frame));
    const bridged = swapped.filter((frame) => timeline.isBridged(frame)).length;
    const gaps = swapped.map((frame, k) => (k === 0 ? 0 : frame - swapped[k - 1]! - 1));
    this.receipt = {
      frames: {
        total: ticks.length,
        swapped: swapped.length,
        bridged,
        passedThrough: ticks.length - swapped.length,
      },
      longestGapFrames: gaps.reduce((most, gap) => Math.max(most, gap), 0),
    };
    const rhythm = new IdentityRhythm();
    this.#measured = new Set(
      swapped.filter((frame, k) => !timeline.isBridged(frame) && rhythm.isDue(k + 1, sizeIn(tracks, frame))),
    );
  }

  /**
   * Returns the frame near `wanted` where a boundary is least visible. If possible, nothing of the
   * frame before carries over there.
   */
  seamNear(wanted: number, times: readonly number[]): number {
    const isNear = (frame: number): boolean =>
      frame > 0 && frame < times.length && Math.abs(times[frame]! - times[wanted]!) <= MAX_SEAM_MOVE_SECONDS;
    for (let move = 0; isNear(wanted - move) || isNear(wanted + move); move++)
      for (const frame of [wanted - move, wanted + move])
        if (isNear(frame) && !this.#timeline.continues(frame)) return frame;
    return wanted;
  }

  /** Plans the frames from `first` to `end - 1`. */
  segment(first: number, end: number, times: readonly number[]): PlannedSegment {
    const faces: PlannedFace[] = [];
    for (const [frame, isStudied] of this.#lead(first, times))
      faces.push({ ...this.#face(frame)!, isMeasured: false, isStudied });
    for (let frame = first; frame < end; frame++) {
      const face = this.#face(frame);
      if (face !== null) faces.push(face);
    }
    const ticks = this.#ticks;
    return { from: ticks[first]!, to: ticks[end] ?? ticks[end - 1]! + 1, frames: end - first, faces };
  }

  /**
   * Returns the frames to draw before the first one, and whether each is studied. The earliest ones
   * are far apart and studied, so that long-term properties are known.
   */
  #lead(first: number, times: readonly number[]): [number, boolean][] {
    const timeline = this.#timeline;
    const lead: [number, boolean][] = [];
    let next = first;
    let studies = 0;
    for (let frame = first - 1; frame >= 0 && timeline.continues(frame + 1); frame--) {
      const isDense = first - frame <= LEAD_FRAMES || times[first]! - times[frame]! <= LEAD_SECONDS;
      if (!isDense && times[next]! - times[frame]! < LEAD_STUDY_SECONDS) continue;
      if (!isDense && ++studies > LEAD_STUDIES) break;
      lead.unshift([frame, !isDense]);
      next = frame;
    }
    return lead;
  }

  #face(frame: number): PlannedFace | null {
    const face = this.#timeline.at(frame);
    const isMeasured = this.#measured.has(frame);
    return face && { ...face, tick: this.#ticks[frame]!, frame, isMeasured, isStudied: false };
  }
}

function sizeIn(tracks: readonly FaceTrack[], frame: number): number {
  const track = tracks.find(({ firstFrame, length }) => frame >= firstFrame && frame < firstFrame + length);
  const place: MeshRecord | undefined = track?.place(frame);
  return place?.size ?? 0;
}

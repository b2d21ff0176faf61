import { countOthers } from '../face/persons/main-person.ts';
import { PersonTimeline } from '../face/persons/person-timeline.ts';
import { findPersons, type Person } from '../face/persons/persons.ts';
import {
  type FilmPlan,
  type FilmReceipt,
  MAX_FITTED_MESHES,
  type PlannedFace,
  type PlannedSegment,
} from '../film/film-plan.ts';
import { linkTracks, type PlacedStudy } from '../film/linked-tracks.ts';
import type { ReadStudy } from '../film/segment-study.ts';
import type { StudiedFrames } from '../film/study-segment.ts';
import { litFrom, meshesOf } from './fitted-source.ts';
import { IdentityRhythm } from './identity-similarity.ts';
import { findMapped, type MappedPerson } from './mapped-persons.ts';

/** A film whose segments have been studied. */
export interface StudiedFilm {
  readonly studies: readonly ReadStudy[];
  /** Ticks since the film's first picture at which the studied segments begin; the first is 0. */
  readonly starts: readonly number[];
  /** Length of a tick in seconds. */
  readonly tickSeconds: number;
}

/** A film whose faces are all known. */
export interface KnownFilm extends StudiedFrames {
  /** Frames at which segments should begin, without the first. */
  readonly seams: readonly number[];
}

/** People who get other faces. */
export interface WantedPersons {
  readonly persons: readonly MappedPerson[];
  /** Size of the film's frames, pixels. */
  readonly width: number;
  readonly height: number;
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

/** Joins the studies of a film's segments. Each frame comes from the segment that owns it. */
export function joinStudies({ studies, starts, tickSeconds }: StudiedFilm): KnownFilm {
  const ticks: number[] = [];
  const segments = studies.map((study, k) => {
    const end = starts[k + 1] ?? Infinity;
    const own = study.ticks.filter((tick) => tick >= starts[k]! && tick < end);
    const firstOwn = study.ticks.findIndex((tick) => tick >= starts[k]!);
    const firstInFilm = ticks.length;
    for (const tick of own) ticks.push(tick);
    return { study, firstOwn: Math.max(0, firstOwn), ownFrames: own.length, firstInFilm };
  });
  const times = ticks.map((tick) => Math.round(tick * tickSeconds * 1e6) / 1e6);
  const cuts = new Set(segments.flatMap(cutsOf));
  const seams = starts.slice(1).map((start) => times.findIndex((time) => time >= start * tickSeconds));
  return { faces: { tracks: linkTracks(segments, times), times, cuts }, ticks, seams };
}

function cutsOf({ study, firstOwn, ownFrames, firstInFilm }: PlacedStudy): number[] {
  return study.cuts
    .filter((cut) => cut >= firstOwn && cut < firstOwn + ownFrames)
    .map((cut) => cut - firstOwn + firstInFilm);
}

/**
 * Decides who gets another face, where these faces are drawn, and where the film's segments meet.
 * The result depends only on what was studied.
 * @param wanted by default: the person whom the film is about
 * @returns null if no frame shows a face
 * @throws TaskFailure FACE_NOT_FOUND, FACE_BOX_CONFLICT, which name the wanted person
 */
export function chooseFaces(film: KnownFilm, wanted: WantedPersons | null): Omit<FilmPlan, 'about'> | null {
  const [main, ...others] = findPersons(film.faces);
  if (main === undefined && wanted === null) return null;
  const persons = wanted ? findMapped({ ...film, ...wanted }, wanted.persons) : [main!];
  const drawn = persons.map((person, k) => new DrawnPerson(film, person, k));
  if (wanted === null && drawn[0]!.receipt.framesSwapped === 0) return null;
  const seams = seamsOf(film, drawn);
  return {
    receipt: { facesFound: main ? 1 + countOthers(main, others) : 0, ...receiptOf(film, drawn) },
    persons: persons.map(({ tracks }) => ({
      // Rounding may give one more than the limit.
      meshes: meshesOf(tracks, MAX_FITTED_MESHES).slice(0, MAX_FITTED_MESHES),
      litFrom: litFrom(tracks),
    })),
    segments: seams.map((first, k) => planSegment(film, drawn, first, seams[k + 1] ?? film.ticks.length)),
  };
}

function receiptOf({ ticks }: KnownFilm, drawn: readonly DrawnPerson[]): Omit<FilmReceipt, 'facesFound'> {
  const swapped = [...ticks.keys()].filter((frame) => drawn.some(({ timeline }) => timeline.isThere(frame)));
  const bridged = swapped.filter((frame) => drawn.some(({ timeline }) => timeline.isBridged(frame))).length;
  return {
    frames: {
      total: ticks.length,
      swapped: swapped.length,
      bridged,
      passedThrough: ticks.length - swapped.length,
    },
    longestGapFrames: longestGap(swapped),
    persons: drawn.map(({ receipt }) => receipt),
  };
}

/** Returns the longest run of other frames between two of these. */
function longestGap(frames: readonly number[]): number {
  return frames.reduce((most, frame, k) => Math.max(most, k === 0 ? 0 : frame - frames[k - 1]! - 1), 0);
}

/** Returns the frames at which drawn segments begin; the first is 0. */
function seamsOf({ faces: { times }, seams }: KnownFilm, drawn: readonly DrawnPerson[]): number[] {
  const moved = seams.filter((seam) => seam > 0).map((seam) => seamNear(seam, times, drawn));
  return [0, ...moved].filter((seam, k, all) => k === 0 || seam > all[k - 1]!);
}

/**
 * Returns the frame near `wanted` where a boundary is least visible. If possible, nothing of the
 * frame before carries over there.
 */
function seamNear(wanted: number, times: readonly number[], drawn: readonly DrawnPerson[]): number {
  const isNear = (frame: number): boolean =>
    frame > 0 && frame < times.length && Math.abs(times[frame]! - times[wanted]!) <= MAX_SEAM_MOVE_SECONDS;
  for (let move = 0; isNear(wanted - move) || isNear(wanted + move); move++)
    for (const frame of [wanted - move, wanted + move])
      if (isNear(frame) && !drawn.some(({ timeline }) => timeline.continues(frame))) return frame;
  return wanted;
}

/** Plans the frames from `first` to `end - 1`. */
function planSegment(
  { ticks }: KnownFilm,
  drawn: readonly DrawnPerson[],
  first: number,
  end: number,
): PlannedSegment {
  const faces = drawn.flatMap((person) => [...person.lead(first), ...person.between(first, end)]);
  faces.sort((a, b) => a.frame - b.frame || a.person - b.person);
  return { from: ticks[first]!, to: ticks[end] ?? ticks[end - 1]! + 1, frames: end - first, faces };
}

/** The faces to draw of one person, frame by frame. */
class DrawnPerson {
  readonly #film: KnownFilm;
  readonly #number: number;
  readonly timeline: PersonTimeline;
  readonly #measured: ReadonlySet<number>;
  readonly receipt: FilmReceipt['persons'][number];

  /** @param number of the person in the plan */
  constructor(film: KnownFilm, person: Person, number: number) {
    this.#film = film;
    this.#number = number;
    const timeline = new PersonTimeline(film.faces, person);
    this.timeline = timeline;
    const swapped = [...film.ticks.keys()].filter((frame) => timeline.isThere(frame));
    this.receipt = { framesSwapped: swapped.length, longestGapFrames: longestGap(swapped) };
    const rhythm = new IdentityRhythm();
    this.#measured = new Set(
      swapped.filter(
        (frame, k) => !timeline.isBridged(frame) && rhythm.isDue(k + 1, timeline.placeAt(frame)?.size ?? 0),
      ),
    );
  }

  /** Returns the faces in the frames from `first` to `end - 1`. */
  between(first: number, end: number): PlannedFace[] {
    const faces: PlannedFace[] = [];
    for (let frame = first; frame < end; frame++) {
      const face = this.#face(frame, this.#measured.has(frame), false);
      if (face !== null) faces.push(face);
    }
    return faces;
  }

  /**
   * Returns the faces to draw before the frame `first`. The earliest ones are far apart and
   * studied, so that long-term properties are known.
   */
  lead(first: number): PlannedFace[] {
    const { times } = this.#film.faces;
    const lead: PlannedFace[] = [];
    let next = first;
    let studies = 0;
    for (let frame = first - 1; frame >= 0 && this.timeline.continues(frame + 1); frame--) {
      const isDense = first - frame <= LEAD_FRAMES || times[first]! - times[frame]! <= LEAD_SECONDS;
      if (!isDense && times[next]! - times[frame]! < LEAD_STUDY_SECONDS) continue;
      if (!isDense && ++studies > LEAD_STUDIES) break;
      lead.unshift(this.#face(frame, false, !isDense)!);
      next = frame;
    }
    return lead;
  }

  #face(frame: number, isMeasured: boolean, isStudied: boolean): PlannedFace | null {
    const face = this.timeline.at(frame);
    const tick = this.#film.ticks[frame]!;
    return face && { ...face, person: this.#number, tick, frame, isMeasured, isStudied };
  }
}

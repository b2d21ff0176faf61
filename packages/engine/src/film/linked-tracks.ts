import type { MeshRecord } from '../face/geometry/mesh-record.ts';
import type { FaceTrack } from '../face/track/face-track.ts';
import type { ReadStudy, StudiedTrack } from './segment-study.ts';

/** A segment's study, and the position of its own frames in the film. */
export interface PlacedStudy {
  readonly study: ReadStudy;
  /** Number of the segment's first own frame, among the study's frames. */
  readonly firstOwn: number;
  /** Number of the segment's own frames. */
  readonly ownFrames: number;
  /** Number of the first own frame in the film. */
  readonly firstInFilm: number;
}

/** Distance, in sizes of the face, up to which two tracks are one where studies overlap. */
const SAME_FACE_DISTANCE_SIZES = 0.3;
/** Largest factor between the sizes of such tracks. */
const SAME_FACE_GROWTH = 1.4;
/** Largest number of embeddings of a linked track, evenly taken from all of its embeddings. */
const MAX_LINKED_EMBEDDINGS = 8;
/**
 * Number of studies whose meshes are unpacked at a time. A gap or a lead reaches into the previous
 * study.
 */
const MAX_UNPACKED = 3;

/** The part of a linked track inside one segment. */
interface Piece {
  readonly segment: PlacedStudy;
  /** Number of the track in its study. */
  readonly track: number;
  /** Frames of the film. */
  readonly from: number;
  readonly to: number;
}

/** One face through consecutive frames of a film, combined from several segments. */
class LinkedTrack implements FaceTrack {
  readonly presence: number;
  readonly litFrom: number;
  readonly embeddings: readonly Float32Array[];
  readonly #pieces: readonly Piece[];
  readonly #meshes: UnpackedMeshes;

  /** @param times of the film's frames, seconds */
  constructor(pieces: readonly Piece[], times: readonly number[], meshes: UnpackedMeshes) {
    this.#pieces = pieces;
    this.#meshes = meshes;
    this.embeddings = someOf(pieces.flatMap((piece) => trackOf(piece).embeddings));
    let presence = 0;
    for (let frame = this.firstFrame + 1; frame < this.firstFrame + this.length; frame++)
      presence += this.#placeAt(frame).size ** 2 * (times[frame]! - times[frame - 1]!);
    this.presence = presence;
    let lit = 0;
    for (const piece of pieces) lit += trackOf(piece).litFrom * (piece.to - piece.from);
    this.litFrom = lit / this.length;
  }

  get firstFrame(): number {
    return this.#pieces[0]!.from;
  }

  get length(): number {
    return this.#pieces.at(-1)!.to - this.firstFrame;
  }

  place(frame: number): MeshRecord {
    // Only the place is needed here, because points would have to be unpacked.
    return { ...this.#placeAt(frame), points: NO_POINTS };
  }

  mesh(frame: number): MeshRecord {
    const piece = this.#pieceAt(frame);
    const points = this.#meshes.of(piece.segment, piece.track)[inTrack(piece, frame)]!;
    return { ...this.#placeAt(frame), points };
  }

  #placeAt(frame: number): Omit<MeshRecord, 'points'> {
    const piece = this.#pieceAt(frame);
    return trackOf(piece).places[inTrack(piece, frame)]!;
  }

  #pieceAt(frame: number): Piece {
    const piece = this.#pieces.find(({ from, to }) => frame >= from && frame < to);
    if (piece === undefined) throw new RangeError(`frame ${frame} is not the track's`);
    return piece;
  }
}

/** Points of a record that has only a place. */
const NO_POINTS = new Int16Array(0);

/** Unpacks meshes on request, and forgets those of studies that were not used recently. */
class UnpackedMeshes {
  readonly #points = new Map<PlacedStudy, Map<number, Int16Array[]>>();

  of(segment: PlacedStudy, track: number): Int16Array[] {
    const tracks = this.#points.get(segment) ?? new Map<number, Int16Array[]>();
    this.#points.delete(segment);
    this.#points.set(segment, tracks);
    for (const other of this.#points.keys()) {
      if (this.#points.size <= MAX_UNPACKED) break;
      this.#points.delete(other);
    }
    const points = tracks.get(track) ?? segment.study.points(track);
    tracks.set(track, points);
    return points;
  }
}

/**
 * Links the tracks of consecutive segments. Two tracks are one face if both studies saw it at one
 * place in the frames that they share.
 * @param times of the film's frames, seconds
 */
export function linkTracks(segments: readonly PlacedStudy[], times: readonly number[]): FaceTrack[] {
  const meshes = new UnpackedMeshes();
  const done: Piece[][] = [];
  let open = new Map<number, Piece[]>();
  for (const [at, segment] of segments.entries()) {
    const before = segments[at - 1];
    const links = before === undefined ? new Map<number, number>() : linksBetween(before, segment);
    const next = new Map<number, Piece[]>();
    for (const track of segment.study.tracks.keys()) {
      const piece = ownPiece(segment, track);
      if (piece === null) continue;
      const earlier = open.get(links.get(track) ?? -1);
      // The face may have been away at the boundary itself.
      const continues = earlier !== undefined && earlier.at(-1)!.to === piece.from;
      const pieces = continues ? earlier : [];
      if (!continues) done.push(pieces);
      pieces.push(piece);
      next.set(track, pieces);
    }
    open = next;
  }
  return done
    .map((pieces) => new LinkedTrack(pieces, times, meshes))
    .sort((a, b) => a.firstFrame - b.firstFrame);
}

/** Returns the segment's own frames of a track; null if it has none. */
function ownPiece(segment: PlacedStudy, track: number): Piece | null {
  const { firstFrame, places } = segment.study.tracks[track]!;
  const offset = segment.firstInFilm - segment.firstOwn;
  const from = Math.max(segment.firstInFilm, firstFrame + offset);
  const to = Math.min(segment.firstInFilm + segment.ownFrames, firstFrame + places.length + offset);
  return from < to ? { segment, track, from, to } : null;
}

/** Returns the earlier segment's track for each track of the later segment, by their numbers. */
function linksBetween(before: PlacedStudy, after: PlacedStudy): Map<number, number> {
  const frames = new Map(before.study.ticks.map((tick, frame) => [tick, frame]));
  const pairs: { readonly earlier: number; readonly later: number; readonly distance: number }[] = [];
  for (const [later, track] of after.study.tracks.entries()) {
    for (const [earlier, other] of before.study.tracks.entries()) {
      const distance = distanceBetween(other, track, after, frames);
      if (distance < SAME_FACE_DISTANCE_SIZES) pairs.push({ earlier, later, distance });
    }
  }
  const links = new Map<number, number>();
  const taken = new Set<number>();
  for (const { earlier, later } of pairs.sort((a, b) => a.distance - b.distance)) {
    if (links.has(later) || taken.has(earlier)) continue;
    links.set(later, earlier);
    taken.add(earlier);
  }
  return links;
}

/**
 * Measures the distance of two tracks, in sizes of the face, in the common frame nearest to the
 * boundary. Returns Infinity if they share no frame.
 */
function distanceBetween(
  earlier: StudiedTrack,
  later: StudiedTrack,
  { study, firstOwn }: PlacedStudy,
  frames: ReadonlyMap<number, number>,
): number {
  let best = Infinity;
  let nearest = Infinity;
  for (const [k, b] of later.places.entries()) {
    const frame = later.firstFrame + k;
    const fromSeam = Math.abs(frame - firstOwn);
    if (fromSeam >= nearest) continue;
    const a = earlier.places[(frames.get(study.ticks[frame]!) ?? -1) - earlier.firstFrame];
    if (a === undefined) continue;
    nearest = fromSeam;
    const growth = Math.max(a.size, b.size) / Math.min(a.size, b.size);
    best = growth > SAME_FACE_GROWTH ? Infinity : Math.hypot(a.x - b.x, a.y - b.y) / Math.max(a.size, b.size);
  }
  return best;
}

function trackOf({ segment, track }: Piece): StudiedTrack {
  return segment.study.tracks[track]!;
}

function inTrack({ segment, track }: Piece, frame: number): number {
  return frame - segment.firstInFilm + segment.firstOwn - segment.study.tracks[track]!.firstFrame;
}

function someOf(embeddings: readonly Float32Array[]): Float32Array[] {
  const count = Math.min(MAX_LINKED_EMBEDDINGS, embeddings.length);
  return Array.from({ length: count }, (_, k) => embeddings[Math.floor((k * embeddings.length) / count)]!);
}

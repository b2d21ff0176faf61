import { EMBEDDING_LENGTH } from '../face/detect/embedding.ts';
import type { MeshRecord } from '../face/geometry/mesh-record.ts';
import { MAX_EMBEDDINGS } from '../face/track/live-track.ts';
import { packPlaces, packPoints, unpackPlaces, unpackPoints } from './mesh-block.ts';
import { deflate, inflate, isCount, isSide, mustHold, pack, unpack } from './packed-bytes.ts';

/** One face through some of a segment's frames. */
export interface StudiedTrack {
  /** Number of its first frame, among the segment's frames. */
  readonly firstFrame: number;
  /** Side from which the face is lit, see `FaceTrack`. */
  readonly litFrom: number;
  readonly places: readonly Omit<MeshRecord, 'points'>[];
  /** Embeddings of the face at several moments, which tell who it is. */
  readonly embeddings: readonly Float32Array[];
}

/** Result of the study of a segment and some frames around it. */
export interface SegmentStudy {
  /** Time stamps of the frames, in ticks since the film's first picture, in rising order. */
  readonly ticks: readonly number[];
  /** Numbers of the frames that begin a new scene. */
  readonly cuts: readonly number[];
  readonly tracks: readonly StudiedTrack[];
  /** Further data that the caller stores with the study and checks. */
  readonly about: unknown;
}

/** Beginning of a study's file. */
interface StudyHeader {
  readonly version: 1;
  readonly ticks: readonly number[];
  readonly cuts: readonly number[];
  readonly tracks: readonly {
    readonly firstFrame: number;
    readonly length: number;
    readonly litFrom: number;
    readonly embeddings: number;
  }[];
  readonly about: unknown;
}

/** Largest number of frames of a study: half of the longest film at the highest rate. */
const MAX_FRAMES = 80_000;
/** Largest mean number of faces per frame, more than `FaceTracks` follows. */
const MAX_FACES_A_FRAME = 16;

/**
 * Writes a study.
 * @param meshes of each track's frames, without the places
 */
export function writeStudy(study: SegmentStudy, meshes: readonly (readonly MeshRecord[])[]): Buffer {
  const header: StudyHeader = {
    version: 1,
    ticks: study.ticks,
    cuts: study.cuts,
    tracks: study.tracks.map(({ firstFrame, litFrom, places, embeddings }) => ({
      firstFrame,
      length: places.length,
      litFrom,
      embeddings: embeddings.length,
    })),
    about: study.about,
  };
  const embeddings = Float32Array.from(
    study.tracks.flatMap((track) => track.embeddings.flatMap((values) => [...values])),
  );
  return pack(header, [
    packPlaces(study.tracks.flatMap(({ places }) => places)),
    deflate(new Uint8Array(embeddings.buffer)),
    ...meshes.map(packPoints),
  ]);
}

/** A study that was read back. Meshes are unpacked on request. */
export interface ReadStudy extends SegmentStudy {
  /** Returns the shapes of a track's meshes. @throws Error if the file is damaged */
  points(track: number): Int16Array[];
}

/**
 * Reads a study. An attacker may control the machine that wrote it.
 * @throws Error if it is not a study
 */
export function readStudy(bytes: Buffer): ReadStudy {
  const { header, blocks } = unpack(bytes);
  const { ticks, cuts, tracks, about } = checkHeader(header);
  mustHold(blocks.length === tracks.length + 2);
  const faces = tracks.reduce((sum, { length }) => sum + length, 0);
  const seen = tracks.reduce((sum, { embeddings }) => sum + embeddings, 0);
  const places = unpackPlaces(blocks[0]!, faces);
  const numbers = new Float32Array(inflate(blocks[1]!, 4 * EMBEDDING_LENGTH * seen).buffer);
  mustHold(numbers.every((value) => Math.abs(value) <= 1e3));
  let place = 0;
  let embedding = 0;
  return {
    ticks,
    cuts,
    about,
    tracks: tracks.map((track) => ({
      firstFrame: track.firstFrame,
      litFrom: track.litFrom,
      places: places.slice(place, (place += track.length)),
      embeddings: Array.from({ length: track.embeddings }, () =>
        numbers.slice(EMBEDDING_LENGTH * embedding, EMBEDDING_LENGTH * ++embedding),
      ),
    })),
    points: (track) => unpackPoints(blocks[track + 2]!, tracks[track]!.length),
  };
}

function checkHeader(header: unknown): StudyHeader {
  const study = (header ?? {}) as Partial<StudyHeader>;
  const { ticks, cuts, tracks } = study;
  mustHold(study.version === 1 && Array.isArray(ticks) && Array.isArray(cuts) && Array.isArray(tracks));
  mustHold(ticks.length <= MAX_FRAMES && cuts.length <= ticks.length);
  mustHold(ticks.every((tick, k) => isCount(tick, 2 ** 50) && (k === 0 || tick > ticks[k - 1])));
  mustHold(cuts.every((cut) => isCount(cut, ticks.length - 1)));
  let faces = 0;
  for (const track of tracks) {
    mustHold(isCount(track?.firstFrame, ticks.length) && isCount(track.length, ticks.length));
    mustHold(track.length > 0 && track.firstFrame + track.length <= ticks.length);
    mustHold(isCount(track.embeddings, MAX_EMBEDDINGS) && isSide(track.litFrom));
    faces += track.length;
  }
  mustHold(faces <= MAX_FACES_A_FRAME * ticks.length);
  return study as StudyHeader;
}

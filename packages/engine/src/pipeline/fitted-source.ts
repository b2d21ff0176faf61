import type { FaceTrack } from '../face/track/face-track.ts';
import type { HandFinder } from '../face/geometry/hand.ts';
import { longerSide, MESH_VERTEX_COUNT } from '../face/geometry/face.ts';
import { readRecord } from '../face/geometry/mesh-record.ts';
import type { MeshRecord } from '../face/geometry/mesh-record.ts';
import type { SourceFace } from '../mesh/source/source-face.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import type { TrackSwapper } from '../mesh/video/track-swapper.ts';
import { keepSources, prepareSources } from './prepare-sources.ts';
import type { PhotoAnalysis } from './source-photos.ts';

/** Largest number of a person's meshes from which size and mirroring are decided. */
const MAX_MESHES = 24;

/** Factor by which a person's faces may grow or shrink before the source is prepared again. */
const SIZE_TOLERANCE = 1.25;
/**
 * Factor by which the other of source and mirror image must suit a person's faces better before the
 * source is prepared again, which takes as long as the whole clip.
 */
const MIRROR_TOLERANCE = 1.25;

/** Faces of one person to which a source is fitted. */
export interface FacesToFit {
  /** Some of the person's meshes, see `meshesOf`. */
  readonly records: readonly MeshRecord[];
  /** Side from which they are lit. */
  readonly litFrom: number;
  /** Whether they come from the whole clip, so that no shape must be learned. */
  readonly isWholeClip?: boolean;
}

/**
 * A source prepared for one person's faces in a clip: in an atlas of their size, and mirrored if
 * its mirror image suits their pose better.
 */
export class FittedSource {
  readonly #track: TrackSwapper;
  /** Share of each photo in the texture; see `MergedSource`. */
  readonly shares: readonly number[];
  readonly #swapper: MeshSwapper;
  /** Longer side of the face in the source, in pixels. */
  readonly #sourceSize: number;
  /** Side of the source's atlas, in texels. */
  readonly #side: number;
  readonly #isMirrored: boolean;
  readonly #source: Pick<SourceFace, 'seen' | 'light'>;

  /** @param faces the person's faces that are known so far */
  constructor(
    swapper: MeshSwapper,
    photos: readonly PhotoAnalysis[],
    faces: FacesToFit,
    restore: RestoreOptions,
    handFinder: HandFinder,
  ) {
    this.#swapper = swapper;
    this.#sourceSize = longerSide(photos[0]!.face.box);
    this.#side = swapper.atlasSide(this.#sourceSize, usualSize(faces.records));
    const prepare = faces.isWholeClip ? keepSources : prepareSources;
    const prepared = prepare(swapper, photos, this.#side, restore.faceRestoreVisibility);
    const meshes = readAll(faces.records);
    this.shares = prepared.shares;
    const { seen, light } = prepared.face;
    this.#source = { seen, light };
    this.#isMirrored = swapper.mirrorGain(this.#source, { meshes, litFrom: faces.litFrom }) > 1;
    const target = { meshes, isWholeClip: faces.isWholeClip ?? false };
    this.#track = swapper.follow(prepared.face, this.#isMirrored, target, restore, handFinder);
  }

  /** Draws the next frame; see `TrackSwapper`. */
  draw(...next: Parameters<TrackSwapper['draw']>): Promise<void> {
    return this.#track.draw(...next);
  }

  /**
   * Returns whether the source would get about the same size, and a mirroring that suits as well,
   * if it were prepared for these faces.
   */
  suits(tracks: readonly FaceTrack[]): boolean {
    const records = meshesOf(tracks);
    const size = usualSize(records);
    const target = { meshes: readAll(records), litFrom: litFrom(tracks) };
    const gain = this.#swapper.mirrorGain(this.#source, target);
    return (
      this.#swapper.atlasSide(this.#sourceSize, size / SIZE_TOLERANCE) <= this.#side &&
      this.#side <= this.#swapper.atlasSide(this.#sourceSize, size * SIZE_TOLERANCE) &&
      (this.#isMirrored ? gain > 1 / MIRROR_TOLERANCE : gain < MIRROR_TOLERANCE)
    );
  }

  /** Releases the memory of the prepared source. */
  close(): void {
    this.#track.close();
  }
}

/** Returns a size, in pixels, that four of five faces do not exceed. */
function usualSize(meshes: readonly MeshRecord[]): number {
  const sizes = meshes.map(({ size }) => size).sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length * 0.8)]!;
}

/** Returns the side from which a person's faces are lit, as the mean over their frames. */
export function litFrom(tracks: readonly Pick<FaceTrack, 'litFrom' | 'length'>[]): number {
  const frames = tracks.reduce((sum, { length }) => sum + length, 0);
  return tracks.reduce((sum, track) => sum + track.litFrom * track.length, 0) / Math.max(1, frames);
}

/**
 * Picks some of a person's meshes, evenly spread over their frames.
 * @param most largest number of meshes
 */
export function meshesOf(tracks: readonly FaceTrack[], most = MAX_MESHES): MeshRecord[] {
  const frames = tracks.reduce((sum, { length }) => sum + length, 0);
  const step = Math.max(1, frames / most);
  const some: MeshRecord[] = [];
  let before = 0;
  for (const track of tracks) {
    for (; some.length * step < before + track.length;)
      some.push(track.mesh(track.firstFrame + Math.floor(some.length * step) - before));
    before += track.length;
  }
  return some;
}

function readAll(records: readonly MeshRecord[]): Float32Array[] {
  return records.map((record) => readRecord(record, new Float32Array(MESH_VERTEX_COUNT * 3)));
}

import type { FaceTrack } from '../face/face-track.ts';
import { MESH_VERTEX_COUNT } from '../face/face.ts';
import { readRecord } from '../face/mesh-record.ts';
import type { MeshRecord } from '../face/mesh-record.ts';
import type { SourceFace } from '../mesh/source-face.ts';
import type { MeshSwapper, RestoreStrength } from '../mesh/swapper.ts';
import type { TrackSwapper } from '../mesh/track-swapper.ts';
import { prepareSources } from './prepare-sources.ts';
import type { SourceLook } from './source-photos.ts';

/** Meshes of a person that are looked at together, at most. */
const MOST_MESHES = 24;
/**
 * Faces in whole this much larger or smaller than they were at first are no reason to prepare the
 * source anew.
 */
const SIZE_TOLERANCE = 1.25;

/**
 * A source made ready for one person's faces in a clip: in an atlas as large as they are, mirrored
 * where that suits them better.
 */
export class FittedSource {
  readonly track: TrackSwapper;
  /** See `MergedSource`. */
  readonly shares: readonly number[];
  readonly #swapper: MeshSwapper;
  /** Of the face in the source, pixels. */
  readonly #sourceSize: number;
  /** Of the source's atlas, texels. */
  readonly #side: number;
  readonly #isMirrored: boolean;
  readonly #source: Pick<SourceFace, 'seen'>;

  /** @param tracks of the person, as far as they are known */
  constructor(
    swapper: MeshSwapper,
    looks: readonly SourceLook[],
    tracks: readonly FaceTrack[],
    strength: RestoreStrength,
  ) {
    const records = meshesOf(tracks);
    const { box } = looks[0]!.face;
    this.#swapper = swapper;
    this.#sourceSize = Math.max(box.width, box.height);
    this.#side = swapper.atlasSide(this.#sourceSize, usualSize(records));
    const prepared = prepareSources(swapper, looks, this.#side, strength.faceRestoreVisibility);
    const meshes = readAll(records);
    this.shares = prepared.shares;
    this.#isMirrored = swapper.isBetterMirrored(prepared.face, meshes);
    this.#source = { seen: prepared.face.seen };
    this.track = swapper.follow(prepared.face, this.#isMirrored, meshes, strength);
  }

  /** Whether it was made ready as all these faces want it. */
  suits(tracks: readonly FaceTrack[]): boolean {
    const records = meshesOf(tracks);
    const size = usualSize(records);
    return (
      this.#swapper.atlasSide(this.#sourceSize, size / SIZE_TOLERANCE) <= this.#side &&
      this.#side <= this.#swapper.atlasSide(this.#sourceSize, size * SIZE_TOLERANCE) &&
      this.#isMirrored === this.#swapper.isBetterMirrored(this.#source, readAll(records))
    );
  }

  /** Gives its memory back. */
  close(): void {
    this.track.close();
  }
}

/** Larger than most of the faces are, pixels. */
function usualSize(meshes: readonly MeshRecord[]): number {
  const sizes = meshes.map(({ size }) => size).sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length * 0.8)]!;
}

/** A person's meshes, at most `MOST_MESHES` of them, evenly. */
function meshesOf(tracks: readonly FaceTrack[]): MeshRecord[] {
  const frames = tracks.reduce((sum, { length }) => sum + length, 0);
  const step = Math.max(1, frames / MOST_MESHES);
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

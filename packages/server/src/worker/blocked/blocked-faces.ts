import { TaskFailure } from '@guise/contract/errors.ts';
import type { SourceFiles } from '@guise/engine-host/protocol/engine-job.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { BlockedMatch, Blocklist } from '../../blocklist/blocklist.ts';
import { DATABASE_RETRY_MS, retryWhileDatabaseIsAway } from '../../db/retry-while-away.ts';

/** A photo whose faces are compared with the blocklist. */
export interface CheckedPhoto {
  /** Form field, for the message. */
  readonly field: string;
  readonly path: string;
  /** Sources are known by their largest face; in a target, nobody may be blocked. */
  readonly whose: 'largest' | 'all';
}

/** A clip and its source photos. */
interface CheckedClip {
  readonly clip: { readonly field: string };
  readonly path: string;
  readonly photos: readonly SourceFiles[];
}

/** A face that was refused, for the audit log. */
export interface RefusedFace extends BlockedMatch {
  readonly taskId: string;
  readonly field: string;
}

/** Time for which a clip is looked at. */
const LOOK_MS = 8000;

/**
 * Refuses work with a face of the blocklist. Engines compute embeddings; this process, which alone
 * has the key of the blocklist, compares them. It waits while the database is away: a task must
 * neither fail for that, nor go on unchecked.
 */
export class BlockedFaces {
  readonly #blocklist: Blocklist;
  readonly #maxPixels: number;
  readonly #record: (refused: RefusedFace) => Promise<void>;

  /** @param record writes to the audit log */
  constructor(blocklist: Blocklist, maxPixels: number, record: (refused: RefusedFace) => Promise<void>) {
    this.#blocklist = blocklist;
    this.#maxPixels = maxPixels;
    this.#record = record;
  }

  /** Encrypts the embedding of a face for the blocklist. */
  seal(embedding: Float32Array): Promise<Buffer> {
    return patiently(() => this.#blocklist.seal(embedding));
  }

  /** @throws TaskFailure FACE_BLOCKED; what `EngineProcess.run` throws */
  async refusePhotos(
    taskId: string,
    photos: readonly CheckedPhoto[],
    engine: EngineProcess,
    signal: AbortSignal,
  ): Promise<void> {
    if (await patiently(() => this.#blocklist.isEmpty())) return;
    const named = photos.map(({ field, path, whose }) => ({ name: field, path, whose }));
    const job = { kind: 'identify-faces', photos: named, maxPixels: this.#maxPixels } as const;
    const { identities } = await engine.run(job, { signal });
    for (const [at, { field }] of photos.entries())
      await this.refuseFaces(taskId, field, identities[at] ?? []);
  }

  /**
   * Checks source photos, and then pictures spread over a clip, for some seconds. @throws as
   * `refusePhotos`
   */
  async refuseClip(
    taskId: string,
    { clip: { field }, path, photos }: CheckedClip,
    engine: EngineProcess,
    signal: AbortSignal,
  ): Promise<void> {
    if (await patiently(() => this.#blocklist.isEmpty())) return;
    const all = photos.flatMap(({ path: first, name = 'sourceImage', additional = [] }) => [
      { name, path: first },
      ...additional,
    ]);
    const checked = all.map((photo): CheckedPhoto => ({
      field: photo.name,
      path: photo.path,
      whose: 'largest',
    }));
    await this.refusePhotos(taskId, checked, engine, signal);
    const { sofar } = await engine.run(
      { kind: 'look-at-clip', name: field, targetPath: path, budgetMs: LOOK_MS },
      { signal },
    );
    const faces = sofar.looks.flatMap((look) =>
      look.faces.flatMap(({ embedding }) => (embedding ? [embedding] : [])),
    );
    await this.refuseFaces(taskId, field, faces);
  }

  /** Compares embeddings, and writes a match to the audit log. @throws TaskFailure FACE_BLOCKED */
  async refuseFaces(taskId: string, field: string, faces: readonly ArrayLike<number>[]): Promise<void> {
    if (faces.length === 0) return;
    const match = await patiently(() => this.#blocklist.find(faces));
    if (match === null) return;
    await patiently(() => this.#record({ taskId, field, ...match }));
    throw new TaskFailure('FACE_BLOCKED', `${field} shows a person whose face must not be used here.`);
  }
}

function patiently<T>(action: () => Promise<T>): Promise<T> {
  return retryWhileDatabaseIsAway(DATABASE_RETRY_MS, action);
}

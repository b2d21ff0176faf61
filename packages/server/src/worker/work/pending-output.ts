import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { forgetObjects, registerObjects } from '../../storage/objects.ts';
import type { ClaimedTask } from '../../tasks/queue/claim-tasks.ts';
import type { StoredOutput } from '../../tasks/task.ts';
import { DATABASE_RETRY_MS, retryWhileDatabaseIsAway } from './database-away.ts';
import type { WorkerOptions } from './worker-options.ts';

/** Extension of an output, by its content type. */
const EXTENSION_OF_CONTENT_TYPE: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
};

/** Output on its way from the engine's scratch file to a delivered object. */
export class PendingOutput {
  readonly scratchPath: string;
  readonly #options: WorkerOptions;
  readonly #task: ClaimedTask;
  #key: string | null = null;

  constructor(options: WorkerOptions, task: ClaimedTask) {
    this.#options = options;
    this.#task = task;
    this.scratchPath = options.storage.scratchPath('part');
  }

  async store({
    contentType,
    sizeBytes,
  }: Pick<StoredOutput, 'contentType' | 'sizeBytes'>): Promise<
    Pick<StoredOutput, 'objectKey' | 'expiresAt'>
  > {
    const { db, storage, settings } = this.#options;
    const objectKey = storage.newKey('output', EXTENSION_OF_CONTENT_TYPE[contentType] ?? 'bin');
    const deleteAfter = new Date(Date.now() + settings.outputLifetimeMs);
    const row = {
      key: objectKey,
      kind: 'output',
      accountId: this.#task.accountId,
      taskId: this.#task.id,
      sizeBytes,
      deleteAfter,
    } as const;
    await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () => registerObjects(db.pool, [row]));
    this.#key = objectKey;
    await storage.put(objectKey, this.scratchPath);
    return { objectKey, expiresAt: deleteAfter.toISOString() };
  }

  /**
   * Keeps the object if it is among `outputs`, which went into the database: a commit whose answer
   * was lost may have given a link away. If it was not committed, the end of the task marks the
   * object for the sweeper.
   */
  offeredIn(outputs: readonly StoredOutput[]): void {
    if (outputs.some(({ objectKey }) => objectKey === this.#key)) this.#key = null;
  }

  async discardUnlessOffered(): Promise<void> {
    const { db, storage } = this.#options;
    // A killed engine process leaves parts under names that begin with the output's.
    const { dir, base } = path.parse(this.scratchPath);
    for (const name of await readdir(dir)) {
      if (name.startsWith(base)) await rm(path.join(dir, name), { force: true });
    }
    if (this.#key === null) return;
    await storage.delete(this.#key);
    await forgetObjects(db.pool, [this.#key]);
    this.#key = null;
  }
}

import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { extensionOfType } from '@guise/contract/formats.ts';
import { forgetObjects, registerTaskObject } from '../../storage/objects.ts';
import { newStorageKey, type ObjectKind } from '../../storage/storage.ts';
import type { StoredOutput } from '../../tasks/task.ts';
import { DATABASE_RETRY_MS, retryWhileDatabaseIsAway } from './database-away.ts';
import { TaskStopped } from './task-aborts.ts';
import type { WorkerOptions } from './worker-options.ts';

/** Output that is still a scratch file of the engine or has been stored but not delivered. */
export class PendingOutput {
  readonly scratchPath: string;
  readonly #options: WorkerOptions;
  readonly #taskId: string;
  #key: string | null = null;

  /** Makes an output of a task or a part. */
  constructor(options: WorkerOptions, taskId: string) {
    this.#options = options;
    this.#taskId = taskId;
    this.scratchPath = options.storage.scratch.newPath('part');
  }

  /**
   * Stores the file at `scratchPath`.
   * @param kind `temporary` for a file that only workers read; it is deleted at the end of the task
   * @throws TaskStopped if the task has ended
   */
  async store(
    { contentType, sizeBytes }: Pick<StoredOutput, 'contentType' | 'sizeBytes'>,
    kind: Exclude<ObjectKind, 'input'> = 'output',
  ): Promise<Pick<StoredOutput, 'objectKey' | 'expiresAt'>> {
    const { db, storage, settings } = this.#options;
    const objectKey = newStorageKey(kind, extensionOfType(contentType) ?? 'bin');
    const deleteAfter = new Date(Date.now() + settings.outputLifetimeMs);
    const row = { key: objectKey, kind, taskId: this.#taskId, sizeBytes, deleteAfter };
    const isRegistered = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
      registerTaskObject(db.pool, row),
    );
    if (!isRegistered) throw new TaskStopped('lease-lost');
    this.#key = objectKey;
    await storage.put(objectKey, this.scratchPath);
    return { objectKey, expiresAt: deleteAfter.toISOString() };
  }

  /**
   * Keeps the object if it is in `outputs`, which were sent to the database. If the answer of a
   * commit was lost, a client may already have the link. If the commit failed, the end of the task
   * makes the object due for deletion.
   */
  offeredIn(outputs: readonly StoredOutput[]): void {
    if (outputs.some(({ objectKey }) => objectKey === this.#key)) this.#key = null;
  }

  /** Keeps the object, because its key is or may be in the database. */
  offered(): void {
    this.#key = null;
  }

  async discardUnlessOffered(): Promise<void> {
    const { db, storage } = this.#options;
    // A killed engine process leaves temporary files whose names begin with the output's name.
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

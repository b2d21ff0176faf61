import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { extensionOfType } from '@guise/contract/formats.ts';
import { forgetObjects, registerTaskObject } from '../../storage/objects.ts';
import { newStorageKey, type ObjectKind } from '../../storage/storage.ts';
import { readSmallWebp } from '../../tasks/small-webp.ts';
import type { StoredOutput } from '../../tasks/task.ts';
import { watermarkOf } from '../../storage/watermarks.ts';
import { DATABASE_RETRY_MS, retryWhileDatabaseIsAway } from '../../db/retry-while-away.ts';
import { TaskStopped } from './task-aborts.ts';
import type { WorkerOptions } from './worker-options.ts';

/** Largest thumbnail that is stored, bytes. */
const MAX_THUMBNAIL_BYTES = 32_768;

/** What is known of a file that an engine made. */
interface StorableFile extends Pick<StoredOutput, 'contentType' | 'sizeBytes'> {
  /** A small WebP in base64. */
  readonly thumbnail?: string;
}

/** Output that is still a scratch file of the engine or has been stored but not delivered. */
export class PendingOutput {
  readonly scratchPath: string;
  /** Id of the watermark to put into it, in hex; undefined for none. */
  readonly watermark: string | undefined;
  readonly #options: WorkerOptions;
  readonly taskId: string;
  /** Keys of the stored files that are not delivered yet: of the output, and of its thumbnail. */
  #keys: readonly string[] = [];

  /** Makes an output of a task or a part. @param index of the task's output that it belongs to */
  constructor(options: WorkerOptions, taskId: string, index: number) {
    this.#options = options;
    this.taskId = taskId;
    this.watermark = options.settings.watermark
      ? watermarkOf(options.secret.signing(), taskId, index)
      : undefined;
    this.scratchPath = options.storage.scratch.newPath('part');
  }

  /**
   * Stores the file at `scratchPath`, and its thumbnail if it has one.
   * @param kind `temporary` for a file that only workers read; it is deleted at the end of the task
   * @throws TaskStopped if the task has ended
   */
  async store(
    { contentType, sizeBytes, thumbnail }: StorableFile,
    kind: Exclude<ObjectKind, 'input'> = 'output',
  ): Promise<Pick<StoredOutput, 'objectKey' | 'thumbnailKey' | 'expiresAt'>> {
    const deleteAfter = new Date(Date.now() + this.#options.settings.outputLifetimeMs);
    const extension = extensionOfType(contentType) ?? 'bin';
    const watermark = kind === 'output' ? this.watermark : undefined;
    const row = { kind, extension, sizeBytes, deleteAfter };
    const objectKey = await this.#put(this.scratchPath, { ...row, watermark });
    const stored = { objectKey, expiresAt: deleteAfter.toISOString() };
    const picture = thumbnail === undefined ? null : readSmallWebp(thumbnail, MAX_THUMBNAIL_BYTES);
    if (picture === null) return stored;
    const path = `${this.scratchPath}.webp`;
    try {
      await writeFile(path, picture);
      const small = { ...row, extension: 'webp', sizeBytes: picture.length };
      return { ...stored, thumbnailKey: await this.#put(path, small) };
    } catch (error) {
      // Without a thumbnail the output is as good.
      if (error instanceof TaskStopped) throw error;
      return stored;
    }
  }

  /** Registers a file of the task, and then stores it. Returns its key. */
  async #put(
    path: string,
    {
      kind,
      extension,
      ...row
    }: {
      kind: ObjectKind;
      extension: string;
      sizeBytes: number;
      deleteAfter: Date;
      watermark?: string | undefined;
    },
  ): Promise<string> {
    const { db, storage } = this.#options;
    const key = newStorageKey(kind, extension);
    const isRegistered = await retryWhileDatabaseIsAway(DATABASE_RETRY_MS, () =>
      registerTaskObject(db.pool, { key, kind, taskId: this.taskId, ...row }),
    );
    if (!isRegistered) throw new TaskStopped('lease-lost');
    this.#keys = [...this.#keys, key];
    await storage.put(key, path);
    return key;
  }

  /**
   * Keeps the object if it is in `outputs`, which were sent to the database. If the answer of a
   * commit was lost, a client may already have the link. If the commit failed, the end of the task
   * makes the object due for deletion.
   */
  offeredIn(outputs: readonly StoredOutput[]): void {
    if (outputs.some(({ objectKey }) => objectKey === this.#keys[0])) this.#keys = [];
  }

  /** Keeps the object, because its key is or may be in the database. */
  offered(): void {
    this.#keys = [];
  }

  async discardUnlessOffered(): Promise<void> {
    const { db, storage } = this.#options;
    // A killed engine process leaves temporary files whose names begin with the output's name.
    const { dir, base } = path.parse(this.scratchPath);
    for (const name of await readdir(dir)) {
      if (name.startsWith(base)) await rm(path.join(dir, name), { force: true });
    }
    if (this.#keys.length === 0) return;
    for (const key of this.#keys) await storage.delete(key);
    await forgetObjects(db.pool, [...this.#keys]);
    this.#keys = [];
  }
}

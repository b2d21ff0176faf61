import type { Readable } from 'node:stream';
import type { PromisedRoom } from './disk-room.ts';

/**
 * Kind of an object: what a client sent, what a client gets, or what workers pass to each other
 * within one task.
 */
export type ObjectKind = 'input' | 'output' | 'temporary';

/** First and last byte, both inclusive, both inside the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Age at which a scratch file is deleted. No upload or encoding takes so long. */
export const SCRATCH_LIFETIME_MS = 60 * 60 * 1000;

/** An object that could not be deleted and is still there. */
export interface Undeleted {
  readonly key: string;
  readonly cause: unknown;
}

/**
 * Storage of media. Keys are made here, cannot be guessed and never come from a client. The object
 * of a key is stored once, never changes, and is deleted once; the key is registered
 * (`registerObjects`) before its object is stored.
 */
export interface Storage {
  /** Makes a key. @param extension of the content, without the dot: `png`. */
  newKey(kind: ObjectKind, extension: string): string;
  /**
   * Makes a path for a file that will be `put`. Files of a dead process are deleted when the next
   * one starts.
   */
  scratchPath(extension: string): string;
  /**
   * Moves the file at `filePath` (one of `scratchPath`) into storage, under the key. It is stored
   * completely or not at all, and is on the disk once this resolves.
   */
  put(key: string, filePath: string): Promise<void>;
  /**
   * Provides an object as a local file while `use` runs. The file must not be written, nor its path
   * be used later.
   */
  withLocalFile<T>(key: string, use: (filePath: string) => Promise<T>): Promise<T>;
  /** Returns the size of an object; null if there is none. */
  sizeBytes(key: string): Promise<number | null>;
  /** Opens an object for reading. @throws the store's error if there is none. */
  openRead(key: string, range?: ByteRange): Promise<Readable>;
  /** Deletes an object. It is no error if there is none. */
  delete(key: string): Promise<void>;
  /**
   * Deletes many objects at once, each as `delete` does.
   * @returns those that are still there; the others are gone.
   */
  deleteAll(keys: readonly string[]): Promise<readonly Undeleted[]>;
  /** Lists the names of the scratch files of this process. */
  scratchFiles(): Promise<readonly string[]>;
  /**
   * Deletes scratch files that nobody needs any more: all of dead processes of this machine, and
   * those last written before `before`.
   * @returns the number of deleted folders and files.
   */
  sweepScratch(before: Date): Promise<number>;
  /**
   * Reserves room for files of this size on this machine's disk. The caller must release it in
   * every case.
   * @throws AppError BUSY, with a plain sentence, if there is not enough room.
   */
  promiseRoom(accountId: string, bytes: number): Promise<PromisedRoom>;
}

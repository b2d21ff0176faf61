import type { Readable } from 'node:stream';
import type { PromisedRoom } from './disk-room.ts';

/**
 * Kind of an object: what a client sent, what it gets, or what workers hand to each other within
 * one task.
 */
export type ObjectKind = 'input' | 'output' | 'temporary';

/** First and last byte, both inclusive, both inside the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Age of a scratch file beyond the longest upload or encoding. */
export const SCRATCH_LIFETIME_MS = 60 * 60 * 1000;

/** An object that could not be deleted and is still there. */
export interface Undeleted {
  readonly key: string;
  readonly cause: unknown;
}

/**
 * Storage of media. Keys are made here, cannot be guessed and never come from a client. A key is
 * put once, never changes, and is deleted once; it is registered (`registerObjects`) before its
 * bytes are put.
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
   * Takes the file at `filePath` (one of `scratchPath`) in under the key; the path is gone
   * afterwards. Whole or not at all, and on the disk once this resolves.
   */
  put(key: string, filePath: string): Promise<void>;
  /** The bytes as a local file while `use` runs; the path must neither be written nor kept. */
  withLocalFile<T>(key: string, use: (filePath: string) => Promise<T>): Promise<T>;
  /** Returns the size of an object; null if there is none. */
  sizeBytes(key: string): Promise<number | null>;
  /** Opens an object for reading. @throws the store's error if there is none. */
  openRead(key: string, range?: ByteRange): Promise<Readable>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /**
   * Deletes many at once, as `delete` does each. @returns those that are still there; the others
   * are gone.
   */
  deleteAll(keys: readonly string[]): Promise<readonly Undeleted[]>;
  /** Names of the files that this process has on the scratch. */
  scratchFiles(): Promise<readonly string[]>;
  /**
   * Deletes what was left on the scratch: all of dead processes of this machine, and what was last
   * written before `before`.
   * @returns how many folders and files.
   */
  sweepScratch(before: Date): Promise<number>;
  /**
   * Promises room for files of this size on this machine's disk. The caller releases it in every
   * case.
   * @throws AppError BUSY, with a plain sentence, if it is not there.
   */
  promiseRoom(accountId: string, bytes: number): Promise<PromisedRoom>;
}

import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Scratch } from './scratch.ts';

/**
 * Kind of an object: upload of a client, result for a client, or file that workers pass to each
 * other within one task.
 */
export type ObjectKind = 'input' | 'output' | 'temporary';

/** First and last byte of a range. Both are included, and both are inside the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object that could not be deleted and is still there. */
export interface Undeleted {
  readonly key: string;
  readonly cause: unknown;
}

/**
 * Storage of media. Keys are made by `newStorageKey`, cannot be guessed and never come from a
 * client. An object is stored once, never changes and is deleted once. Its key is registered
 * (`registerObjects`) before it is stored.
 */
export interface Storage {
  /** Temporary files on this machine. */
  readonly scratch: Scratch;
  /**
   * Moves a file from the scratch folder into storage. The object is stored completely or not at
   * all, and is safe on the disk once this resolves.
   */
  put(key: string, filePath: string): Promise<void>;
  /**
   * Provides an object as a local file while `use` runs. The file must not be changed, and its path
   * must not be used later.
   */
  withLocalFile<T>(key: string, use: (filePath: string) => Promise<T>): Promise<T>;
  /** Returns the size of an object; null if there is none. */
  sizeBytes(key: string): Promise<number | null>;
  /** Opens an object for reading. @throws the store's error if there is none. */
  openRead(key: string, range?: ByteRange): Promise<Readable>;
  /** Deletes an object. A missing object is not an error. */
  delete(key: string): Promise<void>;
  /**
   * Deletes many objects at once, each like `delete`.
   * @returns the objects that could not be deleted
   */
  deleteAll(keys: readonly string[]): Promise<readonly Undeleted[]>;
}

/**
 * Form of a key: kind, first two hex digits as a folder, rest. The folders stay small enough to be
 * listed quickly.
 */
const KEY_PATTERN = /^(in|out)\/[0-9a-f]{2}\/[0-9a-f]{46}\.[a-z0-9]{1,8}$/;

/** First part of a key, by the kind of object. */
const FOLDER_OF_KIND: Record<ObjectKind, string> = { input: 'in', output: 'out', temporary: 'in' };

/** Makes a key. @param extension of the content, without the dot: `png`. */
export function newStorageKey(kind: ObjectKind, extension: string): string {
  const name = randomBytes(24).toString('hex');
  return `${FOLDER_OF_KIND[kind]}/${name.slice(0, 2)}/${name.slice(2)}.${extension}`;
}

/**
 * Returns whether a text has the form of a key from `newStorageKey`. Keys become file paths, so
 * every other text must be refused.
 */
export function isStorageKey(key: string): boolean {
  return KEY_PATTERN.test(key);
}

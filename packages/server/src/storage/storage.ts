import type { Readable } from 'node:stream';

export type ObjectKind = 'input' | 'output';

/** First and last byte, both inclusive, both inside the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Far beyond the longest upload or encoding: what is older on the scratch was left there by a process that died. */
export const SCRATCH_LIFETIME_MS = 60 * 60 * 1000;

/**
 * Where media rest. Keys are made here, cannot be guessed and never come from a client. What is stored never changes:
 * a key is put once and deleted once. Every key is registered (`registerObjects`) before its bytes are put.
 */
export interface Storage {
  /** @param extension without the dot, of the file's content: `png`. */
  newKey(kind: ObjectKind, extension: string): string;
  /** A fresh path for a file that is to be `put`. What is left there is swept after an hour. */
  scratchPath(extension: string): string;
  /**
   * Takes the file at `filePath` (one of `scratchPath`) in under the key; the path is gone afterwards. Whole or not at
   * all, and on the disk once this resolves.
   */
  put(key: string, filePath: string): Promise<void>;
  /** The bytes as a local file while `use` runs; the path must neither be written nor kept. */
  withLocalFile<T>(key: string, use: (filePath: string) => Promise<T>): Promise<T>;
  /** @returns null where nothing is stored under the key. */
  sizeBytes(key: string): Promise<number | null>;
  /** @throws the store's error where nothing is stored under the key. */
  openRead(key: string, range?: ByteRange): Promise<Readable>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /** Deletes what uploads and encodings left on the scratch before `before`. @returns how many files. */
  sweepScratch(before: Date): Promise<number>;
  /** @throws AppError INTERNAL_ERROR, with a plain sentence, where little room is left. */
  requireSpace(): Promise<void>;
}

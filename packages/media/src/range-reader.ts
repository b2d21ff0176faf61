import { open, type FileHandle } from 'node:fs/promises';
import { unreadable } from './media-error.ts';

/**
 * Longest piece that `read` returns. The longest part that is read in one piece is a JPEG segment,
 * which fits.
 */
const WINDOW_BYTES = 65_536;

/**
 * Largest number of reads of one file. Headers of real files take some thousands. A hostile file
 * may be a chain of millions of empty parts, and is refused after about 60 ms.
 */
const MAX_READS_PER_FILE = 20_000;

/**
 * Reads pieces of a file through one window of 64 KiB, so that every file's header takes the same
 * memory. Forward reading reads each byte from disk at most once.
 */
export class RangeReader {
  readonly sizeBytes: number;
  readonly #file: FileHandle;
  readonly #window = Buffer.alloc(WINDOW_BYTES);
  #start = 0;
  #length = 0;
  #reads = 0;

  private constructor(file: FileHandle, sizeBytes: number) {
    this.#file = file;
    this.sizeBytes = sizeBytes;
  }

  /**
   * Opens a file.
   * @throws the file system's own error if the file cannot be opened
   */
  static async open(filePath: string): Promise<RangeReader> {
    const file = await open(filePath, 'r');
    try {
      return new RangeReader(file, (await file.stat()).size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Reads `length` bytes from `offset`, at most 65,536, as a view that is valid until the next
   * read.
   * @throws MediaError UNREADABLE if the file ends earlier
   */
  async read(offset: number, length: number): Promise<Buffer> {
    if (++this.#reads > MAX_READS_PER_FILE) throw unreadable('it has too many parts');
    if (offset + length > this.sizeBytes) throw unreadable('it ends too early');
    if (offset < this.#start || offset + length > this.#start + this.#length) await this.#fill(offset);
    const from = offset - this.#start;
    if (from + length > this.#length) throw unreadable('it ends too early');
    return this.#window.subarray(from, from + length);
  }

  /**
   * Reads `length` bytes from `offset` as a copy, for a part that must be in memory as a whole.
   * @throws MediaError UNREADABLE if the part is longer than `maxBytes`, or the file ends earlier
   */
  async readWhole(offset: number, length: number, maxBytes: number): Promise<Buffer> {
    if (length > maxBytes) throw unreadable('a part of its header is too long');
    const whole = Buffer.alloc(Math.min(length, Math.max(0, this.sizeBytes - offset)));
    if (whole.length < length) throw unreadable('it ends too early');
    for (let at = 0; at < length; at += WINDOW_BYTES) {
      const piece = await this.read(offset + at, Math.min(WINDOW_BYTES, length - at));
      piece.copy(whole, at);
    }
    return whole;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async #fill(offset: number): Promise<void> {
    this.#start = offset;
    this.#length = 0;
    while (this.#length < WINDOW_BYTES) {
      const { bytesRead } = await this.#file.read(
        this.#window,
        this.#length,
        WINDOW_BYTES - this.#length,
        offset + this.#length,
      );
      if (bytesRead === 0) return;
      this.#length += bytesRead;
    }
  }
}

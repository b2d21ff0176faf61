import { AppError } from '@guise/contract/errors.ts';
import { MEBIBYTE } from '@guise/contract/limits.ts';

/** Bytes that one upload writes between two checks of the disk. */
const LOOK_EVERY_BYTES = 4 * MEBIBYTE;

/** Disk space that is reserved for one upload. */
export interface PromisedRoom {
  /**
   * Counts bytes that were written to the disk, so that their reservation ends.
   * @returns undefined, or a promise of another check of the disk, once every few MiB.
   * @throws AppError BUSY, by rejecting, if the disk has become too full
   */
  use(bytes: number): Promise<void> | undefined;
  /** Releases the space that was not used. Further calls change nothing. */
  release(): void;
}

/**
 * Reserves disk space before it is used: all uploads that this process expects must fit, and the
 * reserve must stay free. One account gets at most half of the free space, unless the upload is its
 * only one.
 */
export class DiskRoom {
  readonly #freeBytes: () => Promise<number>;
  readonly #reserveBytes: number;
  /** Bytes reserved by account; accounts without any are absent. */
  readonly #promised = new Map<string, number>();
  #promisedBytes = 0;

  /**
   * Keeps a reserve free. @param reserveBytes space for the outputs of accepted tasks and for the
   * database.
   */
  constructor(freeBytes: () => Promise<number>, reserveBytes: number) {
    this.#freeBytes = freeBytes;
    this.#reserveBytes = reserveBytes;
  }

  get promisedBytes(): number {
    return this.#promisedBytes;
  }

  /** Reserves space. @throws AppError BUSY if it does not fit. */
  async promise(accountId: string, bytes: number): Promise<PromisedRoom> {
    const room = (await this.#freeBytes()) - this.#reserveBytes;
    // There is no await from here on, so that two uploads never reserve the same bytes.
    const own = this.#promised.get(accountId) ?? 0;
    if (room < 0 || this.#promisedBytes + bytes > room || (own > 0 && own + bytes > room / 2)) {
      throw outOfSpace();
    }
    this.#add(accountId, bytes);
    let left = bytes;
    let unseen = 0;
    const take = (taken: number): void => {
      left -= taken;
      this.#add(accountId, -taken);
    };
    return {
      use: (arrived) => {
        take(Math.min(arrived, left));
        unseen += arrived;
        if (unseen < LOOK_EVERY_BYTES) return undefined;
        unseen = 0;
        return this.#look();
      },
      release: () => take(left),
    };
  }

  #add(accountId: string, bytes: number): void {
    this.#promisedBytes += bytes;
    const own = (this.#promised.get(accountId) ?? 0) + bytes;
    if (own > 0) this.#promised.set(accountId, own);
    else this.#promised.delete(accountId);
  }

  /** Checks the disk again, because other processes write to it too. */
  async #look(): Promise<void> {
    if ((await this.#freeBytes()) < this.#reserveBytes) throw outOfSpace();
  }
}

/** Makes the error for a disk that is full, or would be full after the upload. */
export function outOfSpace(cause?: unknown): AppError {
  return new AppError('BUSY', 'The service has no room left to store files; try again later.', {}, cause);
}

/**
 * Returns whether an error means that the disk is full. Also recognises the error code of
 * PostgreSQL, whose data may be on the same disk.
 */
export function isOutOfSpace(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || code === '53100';
}

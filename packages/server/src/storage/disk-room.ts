import { AppError } from '@guise/contract/errors.ts';
import { MEBIBYTE } from '@guise/contract/limits.ts';

/** Bytes that one upload writes between two checks of the disk. */
const LOOK_EVERY_BYTES = 4 * MEBIBYTE;

/** Disk space that is reserved for one upload. */
export interface PromisedRoom {
  /**
   * Counts bytes that arrived: they are on the disk, and no longer promised.
   * @returns nothing, or every few MiB a promise of another look at the disk. @throws AppError BUSY
   * by rejecting
   */
  use(bytes: number): Promise<void> | undefined;
  /** Releases space that was not used; further calls change nothing. */
  release(): void;
}

/**
 * Reserves disk space before it is used: all uploads that this process still expects fit in
 * addition to the free reserve. One account gets at most half of the free space, except for an
 * upload that is its only one.
 */
export class DiskRoom {
  readonly #freeBytes: () => Promise<number>;
  readonly #reserveBytes: number;
  /** Bytes reserved by account; accounts without any are absent. */
  readonly #promised = new Map<string, number>();
  #promisedBytes = 0;

  /**
   * Keeps a reserve free. @param reserveBytes for outputs of accepted tasks and for the database.
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
    // Nothing is awaited from here on, so that two uploads never get the same bytes.
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

  /** Checks the disk again, because others write to it too. */
  async #look(): Promise<void> {
    if ((await this.#freeBytes()) < this.#reserveBytes) throw outOfSpace();
  }
}

/** Makes the error of a full disk, expected or hit. */
export function outOfSpace(cause?: unknown): AppError {
  return new AppError('BUSY', 'The service has no room left to store files; try again later.', {}, cause);
}

/**
 * Returns whether an error means a full disk, also as PostgreSQL reports it, which may use this
 * disk.
 */
export function isOutOfSpace(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || code === '53100';
}

/** Least rate of an upload on average, in bytes a second. */
export const LEAST_BYTES_PER_SECOND = 32 * 1024;
/** Time that an upload may take to get under way. */
const GRACE_SECONDS = 30;
/** Interval between two calls of `second`. */
export const PACE_INTERVAL_MS = 1000;

/**
 * Detector of clients that send too slowly. It counts only seconds in which the service waited for
 * the client, not those in which the client waited for the service or this process was busy.
 */
export class UploadPace {
  #arrivedBytes = 0;
  #waitedSeconds = 0;

  arrived(bytes: number): void {
    this.#arrivedBytes += bytes;
  }

  /**
   * Counts a second. A timer calls it, which is late if the process is busy: a late call counts as
   * one second.
   * @param isWaiting whether only the client holds the upload up.
   * @returns whether it is too slow.
   */
  second(isWaiting: boolean): boolean {
    if (isWaiting) this.#waitedSeconds += 1;
    return (
      this.#waitedSeconds > GRACE_SECONDS && this.#arrivedBytes < this.#waitedSeconds * LEAST_BYTES_PER_SECOND
    );
  }
}

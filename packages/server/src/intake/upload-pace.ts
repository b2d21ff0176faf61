/** Lowest allowed average rate of an upload, in bytes per second. */
export const MIN_BYTES_PER_SECOND = 32 * 1024;
/** Time in which an upload may be slower, at its beginning. */
const GRACE_SECONDS = 30;
/** Interval between two calls of `second`. */
export const PACE_INTERVAL_MS = 1000;

/**
 * Detects clients that send too slowly. Counts only seconds in which the service waited for the
 * client, and not those in which this process was busy or made the client wait.
 */
export class UploadPace {
  #arrivedBytes = 0;
  #waitedSeconds = 0;

  arrived(bytes: number): void {
    this.#arrivedBytes += bytes;
  }

  /**
   * Counts a second. A timer calls this method; a late call, when the process is busy, also counts
   * as one second.
   * @param isWaiting whether the upload waits only for the client.
   * @returns whether the upload is too slow.
   */
  second(isWaiting: boolean): boolean {
    if (isWaiting) this.#waitedSeconds += 1;
    return (
      this.#waitedSeconds > GRACE_SECONDS && this.#arrivedBytes < this.#waitedSeconds * MIN_BYTES_PER_SECOND
    );
  }
}

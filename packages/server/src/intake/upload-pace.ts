/** Least rate of an upload on average, in bytes a second. */
export const LEAST_BYTES_PER_SECOND = 32 * 1024;
/** Time that an upload may take to get under way. */
const GRACE_SECONDS = 30;
/** Interval between two calls of `second`. */
export const PACE_INTERVAL_MS = 1000;

/**
 * Says when a client sends too slowly. Only seconds count in which the service waited for the
 * client: seconds in which the client waited for the service do not, nor those in which this
 * process was busy with something else.
 */
export class UploadPace {
  #arrivedBytes = 0;
  #waitedSeconds = 0;

  arrived(bytes: number): void {
    this.#arrivedBytes += bytes;
  }

  /**
   * Called about every second by a timer, which is late where the process is busy: a late call
   * counts as one second.
   * @param isWaiting whether nothing but the client holds the upload up.
   * @returns whether it is too slow.
   */
  second(isWaiting: boolean): boolean {
    if (isWaiting) this.#waitedSeconds += 1;
    return (
      this.#waitedSeconds > GRACE_SECONDS && this.#arrivedBytes < this.#waitedSeconds * LEAST_BYTES_PER_SECOND
    );
  }
}

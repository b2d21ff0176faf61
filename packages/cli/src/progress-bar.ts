import type { WriteStream } from 'node:tty';

const CELLS = 30;
const LEAST_INTERVAL_MS = 100;

/** One line on a terminal that says how far the work is; nothing where the output goes elsewhere. */
export class ProgressBar {
  readonly #stream: Pick<WriteStream, 'isTTY' | 'write'>;
  #startedMs = performance.now();
  #shownMs = -Infinity;
  #isShown = false;

  constructor(stream: Pick<WriteStream, 'isTTY' | 'write'>) {
    this.#stream = stream;
  }

  /** @param progress 0..1 */
  show(progress: number): void {
    const now = performance.now();
    if (!this.#stream.isTTY || now - this.#shownMs < LEAST_INTERVAL_MS) return;
    this.#shownMs = now;
    this.#isShown = true;
    const filled = Math.round(CELLS * progress);
    const bar = '#'.repeat(filled) + '-'.repeat(CELLS - filled);
    // The first moments say little about the rest.
    const left = progress > 0.05 ? ((now - this.#startedMs) / 1000) * (1 / progress - 1) : null;
    const time = left === null ? '' : ` about ${Math.ceil(left)} s left`;
    this.#stream.write(`\r\u001b[K[${bar}] ${Math.floor(100 * progress)} %${time}`);
  }

  clear(): void {
    if (this.#isShown) this.#stream.write('\r\u001b[K');
    this.#isShown = false;
  }
}

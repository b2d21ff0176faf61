import type { WriteStream } from 'node:tty';

const CELLS = 30;
const LEAST_INTERVAL_MS = 100;
/**
 * The speed shown is of about the last so many milliseconds: a clip is first looked through, then
 * drawn more slowly.
 */
const SPEED_SPAN_MS = 8000;
/** Before that the speed says little. */
const SURE_AFTER_MS = 2000;

/**
 * One line on a terminal that says how far the work is; nothing where the output goes elsewhere.
 */
export class ProgressBar {
  readonly #stream: Pick<WriteStream, 'isTTY' | 'write'>;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  #shownMs = -Infinity;
  #toldMs: number;
  #progress = 0;
  /** Progress a millisecond. */
  #speed = 0;
  #isShown = false;

  constructor(
    stream: Pick<WriteStream, 'isTTY' | 'write'>,
    nowMs: () => number = performance.now.bind(performance),
  ) {
    this.#stream = stream;
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
    this.#toldMs = this.#startedMs;
  }

  /** @param progress 0..1; less than before is no news. */
  show(progress: number): void {
    const now = this.#nowMs();
    this.#learn(Math.max(0, progress - this.#progress), now - this.#toldMs, now - this.#startedMs);
    this.#toldMs = now;
    this.#progress = Math.max(this.#progress, progress);
    if (!this.#stream.isTTY || now - this.#shownMs < LEAST_INTERVAL_MS) return;
    this.#shownMs = now;
    this.#isShown = true;
    this.#stream.write(`\r\u001b[K${this.#line(now)}`);
  }

  clear(): void {
    if (this.#isShown) this.#stream.write('\r\u001b[K');
    this.#isShown = false;
  }

  #learn(step: number, stepMs: number, sinceStartMs: number): void {
    if (stepMs <= 0) return;
    // The mean of all at first, which turns into one that forgets.
    const weight = 1 - Math.exp(-stepMs / Math.min(SPEED_SPAN_MS, sinceStartMs));
    this.#speed += weight * (step / stepMs - this.#speed);
  }

  #line(now: number): string {
    const filled = Math.round(CELLS * this.#progress);
    const bar = '#'.repeat(filled) + '-'.repeat(CELLS - filled);
    const percent = `[${bar}] ${Math.floor(100 * this.#progress)} %`;
    if (now - this.#startedMs < SURE_AFTER_MS || this.#speed === 0) return percent;
    return `${percent} about ${Math.ceil((1 - this.#progress) / this.#speed / 1000)} s left`;
  }
}

import type { WriteStream } from 'node:tty';

/** Width of the bar, in characters. */
const BAR_WIDTH_CHARACTERS = 30;

/** Shortest time between two updates of the line, in milliseconds. */
const MIN_REDRAW_INTERVAL_MS = 100;

/**
 * Time over which the speed is averaged, in milliseconds. It is short, because drawing a clip is
 * slower than the analysis before it.
 */
const SPEED_SPAN_MS = 8000;

/** Time after which the speed is reliable enough to predict the end, in milliseconds. */
const RELIABLE_AFTER_MS = 2000;

/**
 * Shows a progress bar on the standard error output while `use` runs, from its first moment.
 * @param use calls `onProgress` with 0 to 1
 */
export async function withProgress<T>(
  use: (onProgress: (progress: number) => void) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(process.stderr);
  bar.show(0);
  try {
    return await use((progress) => bar.show(progress));
  } finally {
    bar.clear();
  }
}

/** Shows progress on one line of a terminal. Writes nothing if the output is not a terminal. */
export class ProgressBar {
  readonly #stream: Pick<WriteStream, 'isTTY' | 'write'>;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  #shownMs = -Infinity;
  #toldMs: number;
  #progress = 0;
  /** Progress per millisecond, averaged. */
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

  /** @param progress 0 to 1. A value lower than an earlier one is ignored. */
  show(progress: number): void {
    const now = this.#nowMs();
    this.#learn(Math.max(0, progress - this.#progress), now - this.#toldMs, now - this.#startedMs);
    this.#toldMs = now;
    this.#progress = Math.max(this.#progress, progress);
    if (!this.#stream.isTTY || now - this.#shownMs < MIN_REDRAW_INTERVAL_MS) return;
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
    // At first this is the mean of the whole run, later an exponential moving average.
    const weight = 1 - Math.exp(-stepMs / Math.min(SPEED_SPAN_MS, sinceStartMs));
    this.#speed += weight * (step / stepMs - this.#speed);
  }

  #line(now: number): string {
    const filled = Math.round(BAR_WIDTH_CHARACTERS * this.#progress);
    const bar = '#'.repeat(filled) + '-'.repeat(BAR_WIDTH_CHARACTERS - filled);
    const percent = `[${bar}] ${Math.floor(100 * this.#progress)} %`;
    if (now - this.#startedMs < RELIABLE_AFTER_MS || this.#speed === 0) return percent;
    return `${percent} about ${Math.ceil((1 - this.#progress) / this.#speed / 1000)} s left`;
  }
}

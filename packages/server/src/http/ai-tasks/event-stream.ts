import type { ServerResponse } from 'node:http';

/** Pause between two comments that keep proxies from closing a silent stream. */
const COMMENT_INTERVAL_MS = 15_000;

/** Time in which a client has to take something; one that does not is let go, and resumes. */
const DRAIN_PATIENCE_MS = 30_000;

/** Time in which the last bytes of a stream have to go out. */
const END_PATIENCE_MS = 5000;

/** Number of bytes that a client has not read yet from which no further event is sent to it. */
const STREAM_BYTES = 256 * 1024;

/** Bytes of all streams of a process from which each has room for one event at a time. */
const PROCESS_BYTES = 32 * 1024 * 1024;

/** Pause after which clients come back, in milliseconds. */
const RETRY = 'retry: 1000\n\n';

/** Bytes written to all streams of a process and not yet taken. */
export interface StreamBudget {
  bytes: number;
}

/**
 * Server-sent events to one client. It holds what was written and not yet taken, so whoever sends
 * asks for room first; a client that takes nothing for long is let go, and resumes.
 */
export class EventStream {
  readonly #raw: ServerResponse;
  readonly #budget: StreamBudget;
  #bytes = 0;
  readonly #comments: NodeJS.Timeout;
  #patience: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(raw: ServerResponse, budget: StreamBudget) {
    this.#raw = raw;
    this.#budget = budget;
    this.#comments = setInterval(() => {
      if (this.#bytes === 0) this.#write(': still here\n\n');
    }, COMMENT_INTERVAL_MS);
    // If a client leaves during a write, that is not our error.
    raw.on('error', () => raw.destroy());
    raw.once('close', () => {
      this.#isEnding = true;
      clearInterval(this.#comments);
      clearTimeout(this.#patience);
      budget.bytes -= this.#bytes;
      this.#bytes = 0;
    });
    this.#write(RETRY);
  }

  /** Whether an event may be sent; otherwise it would wait in memory. */
  get hasRoom(): boolean {
    if (this.#isEnding || this.#bytes >= STREAM_BYTES) return false;
    return this.#bytes === 0 || this.#budget.bytes < PROCESS_BYTES;
  }

  send(event: string): void {
    if (!this.#isEnding) this.#write(event);
  }

  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    clearInterval(this.#comments);
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.#raw.destroy(), END_PATIENCE_MS);
    this.#raw.end(RETRY);
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    this.#count(bytes.length);
    this.#patience ??= setTimeout(() => this.#raw.destroy(), DRAIN_PATIENCE_MS);
    this.#raw.write(bytes, () => {
      if (this.#raw.closed) return;
      this.#count(-bytes.length);
      if (this.#isEnding) return;
      // It takes something, or has taken all.
      clearTimeout(this.#patience);
      this.#patience = undefined;
      if (this.#bytes > 0) this.#patience = setTimeout(() => this.#raw.destroy(), DRAIN_PATIENCE_MS);
    });
  }

  #count(sizeBytes: number): void {
    this.#bytes += sizeBytes;
    this.#budget.bytes += sizeBytes;
  }
}

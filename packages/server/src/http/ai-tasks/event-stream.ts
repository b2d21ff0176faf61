import type { ServerResponse } from 'node:http';

/** Interval of comments that keep proxies from closing a silent stream. */
const COMMENT_INTERVAL_MS = 15_000;

/**
 * Time in which a client must read something. After that it is disconnected, and can reconnect and
 * resume.
 */
const DRAIN_PATIENCE_MS = 30_000;

/** Time in which the last bytes of a stream must be sent. */
const END_PATIENCE_MS = 5000;

/** Number of unread bytes from which a client is sent no further event. */
const STREAM_BYTES = 256 * 1024;

/**
 * Number of unread bytes of all streams of a process from which each stream may hold only one
 * event.
 */
const PROCESS_BYTES = 32 * 1024 * 1024;

/** Time after which clients reconnect, in milliseconds. */
const RETRY = 'retry: 1000\n\n';

/** Number of bytes written to all streams of a process that clients have not read yet. */
export interface StreamBudget {
  bytes: number;
}

/**
 * Server-sent events to one client. Unread events stay in memory, so senders must check `hasRoom`
 * first. A client that reads nothing for a long time is disconnected, and can reconnect and resume.
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
    // A client that leaves during a write is not an error of the service.
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

  /** Whether an event may be sent now. Otherwise the event would stay in memory. */
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
      // The client has read something. The time limit restarts, or ends if everything was read.
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

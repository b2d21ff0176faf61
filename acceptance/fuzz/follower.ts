import { setTimeout as delay } from 'node:timers/promises';

/** Who is followed: the key may change while it is. */
export interface Followed {
  readonly url: string;
  readonly apiKey: string;
}

/**
 * A client that reads its account's events for as long as the run lasts, and goes on where a
 * connection broke, by the id of its last event.
 */
export class Follower {
  /** Last status told of each task. */
  readonly statuses = new Map<string, string>();
  events = 0;
  connections = 0;
  /** Answers other than 200, by status. */
  readonly refusals = new Map<number, number>();
  #lastEventId: string | null = null;
  readonly #leaving = new AbortController();
  readonly #running: Promise<void>;

  constructor(followed: Followed) {
    this.#running = this.#follow(followed);
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#running;
  }

  async #follow(followed: Followed): Promise<void> {
    while (!this.#leaving.signal.aborted) {
      await this.#readOnce(followed).catch(() => {});
      await delay(1000, undefined, { signal: this.#leaving.signal }).catch(() => {});
    }
  }

  async #readOnce({ url, apiKey }: Followed): Promise<void> {
    const resumed = this.#lastEventId === null ? {} : { 'last-event-id': this.#lastEventId };
    const response = await fetch(`${url}/api/ai-tasks/events`, {
      headers: { authorization: `Bearer ${apiKey}`, ...resumed },
      signal: this.#leaving.signal,
    });
    if (response.status !== 200) {
      this.refusals.set(response.status, (this.refusals.get(response.status) ?? 0) + 1);
      await response.body?.cancel();
      return;
    }
    this.connections++;
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body!) {
      const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const [, id, data] = /^id: (\d+)\nevent: task\ndata: (.*)$/.exec(block) ?? [];
    if (id === undefined) return;
    const { id: taskId, status } = JSON.parse(data!) as { id: string; status: string };
    this.#lastEventId = id;
    this.events++;
    this.statuses.set(taskId, status);
  }
}

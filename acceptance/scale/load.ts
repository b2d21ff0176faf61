import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestAccount } from '../service.ts';
import { type Answer, Client, type Fields } from '../ai-tasks/client.ts';
import type { Machine } from './machine.ts';

/** A request that a user sends again and again. */
export interface Request {
  /** Path of the workflow. */
  readonly path: string;
  readonly fields: Fields;
}

/** A task that was accepted, in the end as GET gives it. */
export interface AcceptedTask {
  readonly request: Request;
  readonly account: TestAccount;
  readonly idempotencyKey: string;
  readonly taskId: string;
  task: Answer['body'];
}

/** Pause before a request that got no answer is sent again, and between two polls. */
const RETRY_PAUSE_MS = 250;
/** Pause of a user between two tasks. */
const THINKING_MS = 500;
/** Time within which every request is answered and every task ends. */
const PATIENCE_MS = 480_000;

const ENDED = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

/** Users that post all the time through APIs that die under them. */
export class Load {
  readonly #apis: readonly Machine[];
  readonly #givenUp = new AbortController();
  /** Everything that was accepted. */
  readonly accepted: AcceptedTask[] = [];
  /** Number of tasks that have ended. */
  ended = 0;
  /** Number of requests that were cut off or refused for the moment, and sent again. */
  repeated = 0;
  #turn = 0;

  constructor(apis: readonly Machine[]) {
    this.#apis = apis;
  }

  /** Whether nobody waits any more. */
  get isGivenUp(): boolean {
    return this.#givenUp.signal.aborted;
  }

  /** Ends what users wait for, with an error. */
  giveUp(): void {
    this.#givenUp.abort();
  }

  /** Posts, waits for the end, and posts again as long as `goesOn`. */
  async use(account: TestAccount, request: Request, goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      await this.run(account, request);
      await this.#pause(THINKING_MS);
    }
  }

  /** Posts once and waits for the end. */
  async run(account: TestAccount, request: Request): Promise<AcceptedTask> {
    const idempotencyKey = randomUUID();
    const taskId = await this.post(account, request, idempotencyKey);
    const accepted: AcceptedTask = { request, account, idempotencyKey, taskId, task: null };
    this.accepted.push(accepted);
    accepted.task = await this.#untilEnded(account, request, taskId);
    this.ended += 1;
    return accepted;
  }

  /** Posts until an API has answered, always with the same key. @returns the task's id */
  async post(account: TestAccount, { path, fields }: Request, idempotencyKey: string): Promise<string> {
    const headers = { 'idempotency-key': idempotencyKey };
    const { body } = await this.#insist((url) => new Client(url, account, path).post(fields, { headers }));
    return body.taskId;
  }

  async #untilEnded(account: TestAccount, { path }: Request, taskId: string): Promise<Answer['body']> {
    for (const endMs = performance.now() + PATIENCE_MS; ; await this.#pause(RETRY_PAUSE_MS)) {
      const { body } = await this.#insist((url) => new Client(url, account, path).get(taskId));
      if (ENDED.has(body.status)) return body;
      assert.ok(performance.now() < endMs, `task ${taskId} does not end: ${JSON.stringify(body)}`);
    }
  }

  /** Asks one API after the other until one says 200; what they refuse for good fails the test. */
  async #insist(ask: (url: string) => Promise<Answer>): Promise<Answer> {
    for (const endMs = performance.now() + PATIENCE_MS; ; await this.#pause(RETRY_PAUSE_MS)) {
      const api = this.#apis[this.#turn++ % this.#apis.length]!;
      // A connection that breaks, or is refused, is what a killed process looks like.
      const answer = await ask(api.url).catch(() => null);
      if (answer?.status === 200) return answer;
      this.repeated += 1;
      assert.ok(
        answer === null || answer.status >= 500,
        `${answer?.status}: ${JSON.stringify(answer?.body)}`,
      );
      assert.ok(performance.now() < endMs, `no API answers: ${JSON.stringify(answer?.body)}`);
    }
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#givenUp.signal });
  }
}

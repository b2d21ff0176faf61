import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { namedField } from '../named-field.ts';
import type { TestAccount } from '../service.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Whatever the service said: the tests say what it must be.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface CallOptions {
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

const JOB_LIMIT_MS = 180_000;

/** `/v1` as a client sees it, written from the specification alone. */
export class V1Client {
  readonly #url: string;
  readonly #account: TestAccount;

  constructor(url: string, account: TestAccount) {
    this.#url = url;
    this.#account = account;
  }

  get email(): string {
    return this.#account.email;
  }

  get accountId(): string {
    return this.#account.accountId;
  }

  /** Returns a client of the same account at another address of the service. */
  at(url: string): V1Client {
    return new V1Client(url, this.#account);
  }

  post(path: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.call('POST', `/v1/${path}`, { ...options, body: JSON.stringify(body) });
  }

  status(jobId: string): Promise<Answer> {
    return this.call('GET', `/v1/status/${jobId}`);
  }

  cancel(jobId: string): Promise<Answer> {
    return this.call('DELETE', `/v1/status/${jobId}`);
  }

  async call(
    method: string,
    path: string,
    options: CallOptions & { body?: string | ReadableStream } = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.#url}${path}${options.query ?? ''}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#account.apiKey}`,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: options.body,
      // fetch asks for it where the body is a stream.
      duplex: 'half',
      signal: options.signal,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Polls until `done`. @returns every answer seen, the last one first. */
  async poll(jobId: string, done = isFinal): Promise<Answer['body'][]> {
    const seen: Answer['body'][] = [];
    for (const deadline = performance.now() + JOB_LIMIT_MS; performance.now() < deadline; await delay(100)) {
      const { status, body } = await this.status(jobId);
      assert.equal(status, 200, JSON.stringify(body));
      seen.unshift(body);
      if (done(body)) return seen;
    }
    throw new Error(`job ${jobId} did not end in ${JOB_LIMIT_MS} ms: ${JSON.stringify(seen[0])}`);
  }
}

function isFinal({ status }: Answer['body']): boolean {
  return status === 'completed' || status === 'failed';
}

/**
 * Checks that an answer is an error (docs/spec/v1#errors), whose `field` is what its
 * sentence names.
 */
export function assertV1Error(
  answer: Answer,
  status: number,
  code: string,
  message: RegExp,
  details: object = {},
): void {
  const { body, headers } = answer;
  assert.equal(answer.status, status, JSON.stringify(body));
  assert.match(body.message, message);
  assert.deepEqual(body, {
    success: false,
    error: code,
    message: body.message,
    request_id: headers.get('x-request-id'),
    ...namedField(body.message),
    ...details,
  });
}

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

export interface File {
  readonly bytes: Uint8Array;
  readonly name?: string;
  readonly type?: string;
}

/** Fields in order; the same name may come twice. */
export type Fields = readonly (readonly [name: string, value: string | File])[];

export interface CallOptions {
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

const TERMINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);
const TASK_LIMIT_MS = 180_000;

/** One workflow of `/api/ai-tasks` as a client sees it: HTTP and nothing else. */
export class Client {
  readonly #url: string;
  readonly #account: TestAccount;
  readonly #path: string;

  /** @param path the workflow's. */
  constructor(url: string, account: TestAccount, path = '/api/ai-tasks') {
    this.#url = url;
    this.#account = account;
    this.#path = path;
  }

  /** Returns a client of the same account at another workflow. */
  at(path: string): Client {
    return new Client(this.#url, this.#account, path);
  }

  post(fields: Fields, options: CallOptions & { path?: string } = {}): Promise<Answer> {
    return this.call('POST', options.path ?? this.#path, { ...options, body: toForm(fields) });
  }

  get(taskId: string, options: CallOptions = {}): Promise<Answer> {
    return this.call('GET', this.#path, { query: `?taskId=${taskId}`, ...options });
  }

  cancel(taskId: string, options: CallOptions = {}): Promise<Answer> {
    return this.call('DELETE', this.#path, { query: `?taskId=${taskId}`, ...options });
  }

  async call(
    method: string,
    path: string,
    options: CallOptions & { body?: FormData | Uint8Array<ArrayBuffer> | string } = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.#url}${path}${options.query ?? ''}`, {
      method,
      headers: { authorization: `Bearer ${this.#account.apiKey}`, ...options.headers },
      body: options.body,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Posts and polls to the end. @returns the task as GET gives it. */
  async run(fields: Fields): Promise<Answer['body']> {
    const accepted = await this.post(fields);
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    return this.untilTerminal(accepted.body.taskId);
  }

  async untilTerminal(taskId: string): Promise<Answer['body']> {
    for (const deadline = performance.now() + TASK_LIMIT_MS; performance.now() < deadline; await delay(100)) {
      const { status, body } = await this.get(taskId);
      assert.equal(status, 200, JSON.stringify(body));
      if (TERMINAL.has(body.status)) return body;
    }
    throw new Error(`task ${taskId} did not end in ${TASK_LIMIT_MS} ms`);
  }
}

/** Makes the multipart body of fields. */
export function toForm(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else
      form.append(
        name,
        new Blob([Uint8Array.from(value.bytes)], { type: value.type ?? 'image/png' }),
        value.name ?? 'image',
      );
  }
  return form;
}

export function photo(source: Uint8Array, target: Uint8Array, extra: Fields = []): Fields {
  return [['sourceImage', { bytes: source }], ['targetImage', { bytes: target }], ...extra];
}

/** Codes that a status may have (docs/spec/ai-tasks#errors). */
const CODES: Readonly<Record<number, readonly string[]>> = {
  400: [
    'INVALID_REQUEST',
    'INVALID_FORMAT',
    'IMAGE_TOO_LARGE',
    'VIDEO_TOO_LARGE',
    'VIDEO_TOO_LONG',
    'RESOLUTION_TOO_HIGH',
    'ENGINE_UNAVAILABLE',
  ],
  401: ['INVALID_API_KEY'],
  402: ['INSUFFICIENT_CREDITS'],
  403: ['EMAIL_NOT_VERIFIED'],
  404: ['JOB_NOT_FOUND', 'NOT_FOUND'],
  409: ['IDEMPOTENCY_CONFLICT', 'JOB_FINISHED', 'JOB_UNFINISHED'],
  429: ['RATE_LIMITED'],
  500: ['INTERNAL_ERROR'],
  503: ['BUSY'],
};

/**
 * Checks that an answer is an error (docs/spec/ai-tasks#errors), whose `field` is what its sentence
 * names. @param details further members, and `code` where the status has several
 */
export function assertError(answer: Answer, status: number, message: RegExp, details: object = {}): void {
  const { error, code } = answer.body;
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.match(error, message);
  assert.ok(CODES[status]!.includes(code), JSON.stringify(answer.body));
  assert.deepEqual(answer.body, { error, code, ...namedField(error), ...details });
}

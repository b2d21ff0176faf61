import type { Error as ErrorBody } from './api-types.ts';
import { GuiseError } from './guise-error.ts';
import { pause } from './pause.ts';

/**
 * Statuses of failures that pass: no connection (0), too many requests, and a service that is away.
 */
const TEMPORARY = [0, 429, 502, 503, 504];
/** First pause before a request is sent again, and the longest; it doubles. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [1000, 30_000];
/** Time for which a request is sent again, if the caller names none. */
const PATIENCE_MS = 600_000;

export interface HttpOptions {
  /**
   * Address of the service, such as `https://guise.example`, or of a backend of yours that adds the
   * key. Default: `http://127.0.0.1:3000`; in a page its own origin.
   */
  readonly url?: string;
  /**
   * The API key, or a function that returns a token. If the service refuses the token (401), it is
   * called once more, with true.
   */
  readonly key?: string | ((wasRefused: boolean) => Promise<string>);
  /**
   * Statuses of failures after which a request is sent again; 0 means no connection. Default: 0,
   * 429, 502, 503 and 504.
   */
  readonly retryOn?: readonly number[];
  /**
   * Time for which a request is sent again before its error is thrown, in milliseconds. Default: 10
   * minutes.
   */
  readonly patienceMs?: number;
  /** What sends requests, instead of the platform's `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * The service makes one task of all requests with the same key within 24 hours. Default: a new
   * one for each call, kept while the request is sent again.
   */
  readonly idempotencyKey?: string;
  /** Called with the time of the next attempt while a request waits, and then with null. */
  readonly onWait?: (until: Date | null) => void;
  /** What sends this request, for example to show how much was sent. */
  readonly fetch?: typeof fetch;
}

/** What is sent besides `RequestOptions`. */
interface Sent {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** A form, or what is sent as JSON. */
  readonly body?: FormData | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the request makes something, and so needs an idempotency key. */
  readonly creates?: true;
}

/** Sends requests, and sends them again after failures that pass. */
export class Http {
  readonly #options: HttpOptions;
  readonly #url: string;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#url = (options.url ?? ('document' in globalThis ? '' : 'http://127.0.0.1:3000')).replace(/\/$/, '');
  }

  /** Sends a request, and reads its JSON answer. @throws GuiseError; the reason of `signal` */
  json<T>(method: string, path: string, options: RequestOptions & Sent = {}): Promise<T> {
    return this.#repeatedly(method, path, options, (answer) => answer.json() as Promise<T>);
  }

  /** Sends a request, and returns its answer unread. @throws GuiseError; the reason of `signal` */
  open(method: string, path: string, options: RequestOptions & Sent = {}): Promise<Response> {
    return this.#repeatedly(method, path, options, async (answer) => answer);
  }

  async #repeatedly<T>(
    method: string,
    path: string,
    options: RequestOptions & Sent,
    read: (answer: Response) => Promise<T>,
  ): Promise<T> {
    const { retryOn = TEMPORARY, patienceMs = PATIENCE_MS } = this.#options;
    const { signal, onWait, idempotencyKey = options.creates && randomKey() } = options;
    const sent = idempotencyKey === undefined ? options : { ...options, idempotencyKey };
    const giveUpAt = Date.now() + patienceMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      try {
        return await read(await this.#authorized(method, path, sent));
      } catch (failure) {
        signal?.throwIfAborted();
        const error =
          failure instanceof GuiseError ? failure : Object.assign(new GuiseError(0), { cause: failure });
        const { resetSeconds } = error.body;
        const waitMs = resetSeconds === undefined ? pauseMs : resetSeconds * 1000;
        if (!retryOn.includes(error.status) || Date.now() + waitMs > giveUpAt) throw error;
        onWait?.(new Date(Date.now() + waitMs));
        await pause(waitMs, signal);
        onWait?.(null);
      }
    }
  }

  async #authorized(method: string, path: string, options: RequestOptions & Sent): Promise<Response> {
    // A link to a result is whole, needs no key, and may lead to somebody else's bucket.
    const key = path.startsWith('/') ? this.#options.key : undefined;
    if (typeof key !== 'function') return this.#send(method, path, options, key);
    try {
      return await this.#send(method, path, options, await key(false));
    } catch (error) {
      if (!(error instanceof GuiseError && error.status === 401)) throw error;
      return this.#send(method, path, options, await key(true));
    }
  }

  /** Sends a request once. @throws GuiseError for an error answer; what `fetch` throws */
  async #send(
    method: string,
    path: string,
    { query = {}, body, headers, idempotencyKey, signal, ...options }: RequestOptions & Sent,
    key: string | undefined,
  ): Promise<Response> {
    signal?.throwIfAborted();
    const search = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    );
    const whole = path.startsWith('/') ? this.#url + path : path;
    const isForm = body === undefined || body instanceof FormData;
    const send = options.fetch ?? this.#options.fetch ?? fetch;
    const answer = await send(search.length > 0 ? `${whole}?${search.join('&')}` : whole, {
      method,
      credentials: 'omit',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isForm ? (body ?? null) : JSON.stringify(body),
      signal: signal ?? null,
    });
    if (!answer.ok) throw await errorOf(answer);
    return answer;
  }
}

async function errorOf(answer: Response): Promise<GuiseError> {
  const body = (await answer.json().catch(() => ({}))) as Partial<ErrorBody>;
  const retryAfter = Number(answer.headers.get('retry-after') ?? NaN);
  const resetSeconds = body.resetSeconds ?? (retryAfter >= 0 ? retryAfter : undefined);
  return new GuiseError(answer.status, { ...body, resetSeconds }, answer.headers.get('x-request-id'));
}

/** Makes a key of 128 random bits. Pages without TLS have no `crypto.randomUUID`. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].join('-');
}

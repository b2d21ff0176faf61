import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { GUISE_VERSION } from '@guise/contract/version.ts';
import { type AddressPolicy, addressPolicy } from './address-policy.ts';
import { checkUrl } from './check-url.ts';
import { guardedConnect } from './guarded-connect.ts';
import { NetError } from './net-error.ts';
import { dnsResolver, type ResolveHost, resolveLocalHost } from './resolve-host.ts';
import { toNetError } from './to-net-error.ts';
import { withDeadline } from './with-deadline.ts';

export interface GuardedClientOptions {
  /**
   * Whether loopback and private addresses may be reached. Link-local and metadata addresses never
   * may.
   */
  readonly allowPrivate: boolean;
  /** Resolves host names; by default with DNS. */
  readonly resolve?: ResolveHost;
  /** Rule for addresses; by default derived from `allowPrivate`. */
  readonly permits?: AddressPolicy;
  readonly connectTimeoutMs?: number;
}

/** HTTP client for URLs that customers give. See `guardedConnect` for what it refuses. */
export interface GuardedClient {
  /**
   * Sends a GET and follows at most 3 redirects. The caller must read or destroy `body`.
   * @param options.idleMs longest time without data, for head and body.
   * @throws NetError, or the reason of `options.signal`.
   */
  open(
    url: string,
    options: { readonly idleMs: number; readonly signal?: AbortSignal },
  ): Promise<{ status: number; headers: Dispatcher.ResponseData['headers']; body: Readable }>;
  /**
   * Sends a POST. Redirects are not followed.
   * @param options.keptBytes most bytes of the answer's body to read. Default: 4 KiB.
   * @returns the status and the beginning of the body, as far as it arrived in time.
   * @throws NetError if no status arrived, or the reason of `options.signal`.
   */
  post(
    url: string,
    options: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | Buffer;
      readonly totalMs: number;
      readonly keptBytes?: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<{ status: number; bodyStart: string }>;
  /** Ends all requests. */
  close(): Promise<void>;
}

/** Largest number of redirects that are followed. */
const MAX_REDIRECTS = 3;

/** Largest head of an answer in bytes. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Longest wait for a connection. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Time for which an idle connection is kept. */
const KEEP_ALIVE_MS = 4_000;

/** Bytes of a webhook's answer that are kept for the delivery log. */
const KEPT_ANSWER_BYTES = 4 * 1024;

/** Statuses of redirects. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Headers of every request. They contain no data of the customer or the installation, and ask for
 * uncompressed bodies, so that a small answer cannot expand.
 */
const HEADERS = { 'user-agent': `guise/${GUISE_VERSION}`, accept: '*/*', 'accept-encoding': 'identity' };

export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const permits = options.permits ?? addressPolicy(options);
  const resolve = options.resolve ?? (options.allowPrivate ? resolveLocalHost : dnsResolver());
  const agent = new Agent({
    connect: guardedConnect(permits, resolve, options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS),
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
  });

  return {
    async open(text, { idleMs, signal }) {
      let url = checkUrl(text, permits);
      for (let hop = 0; ; hop++) {
        const answer = await send(url, { method: 'GET', headers: HEADERS, idleMs, signal });
        const { location } = answer.headers;
        if (!REDIRECTS.has(answer.statusCode) || location === undefined) {
          return { status: answer.statusCode, headers: answer.headers, body: answer.body };
        }
        discard(answer.body);
        if (hop === MAX_REDIRECTS) {
          throw new NetError('UNREACHABLE', `it redirects more than ${MAX_REDIRECTS} times`);
        }
        url = redirectTarget(location, url);
      }
    },
    async post(text, { headers, body, totalMs, keptBytes = KEPT_ANSWER_BYTES, signal }) {
      const url = checkUrl(text, permits);
      return withDeadline(totalMs, signal, async (inTime) => {
        const answer = await send(url, {
          method: 'POST',
          headers: { ...HEADERS, ...headers },
          body,
          idleMs: totalMs,
          signal: inTime,
        });
        return { status: answer.statusCode, bodyStart: await readStart(answer.body, keptBytes) };
      });
    },
    close: () => agent.destroy(),
  };

  async function send(
    url: URL,
    each: {
      readonly method: 'GET' | 'POST';
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
      readonly idleMs: number;
      readonly signal: AbortSignal | undefined;
    },
  ): Promise<Dispatcher.ResponseData> {
    try {
      return await request(url, {
        dispatcher: agent,
        method: each.method,
        headers: each.headers,
        body: each.body ?? null,
        headersTimeout: each.idleMs,
        bodyTimeout: each.idleMs,
        signal: each.signal ?? null,
      });
    } catch (error) {
      throw toNetError(error, each.signal);
    }
  }

  function redirectTarget(location: string | string[], from: URL): URL {
    const to = checkUrl(String(location), permits, from);
    if (from.protocol === 'https:' && to.protocol === 'http:') {
      throw new NetError('UNREACHABLE', 'it redirects from https to http');
    }
    return to;
  }
}

/** Destroys a body without reading the rest. */
function discard(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}

/**
 * Reads the beginning of an answer's body. After the status has arrived, the answer counts even if
 * its body is incomplete.
 */
async function readStart(body: Readable, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length >= maxBytes) break;
    }
  } catch {
    // The received part is kept.
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString('utf8');
}

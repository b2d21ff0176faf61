import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { GuardedClient } from './guarded-client.ts';
import { NetError } from './net-error.ts';
import { toNetError } from './to-net-error.ts';
import { withDeadline } from './with-deadline.ts';

export interface FetchLimits {
  readonly maxBytes: number;
  /** Longest time without data. */
  readonly idleMs: number;
  /** Longest total time, including redirects. */
  readonly totalMs: number;
}

export interface FetchedFile {
  readonly sizeBytes: number;
  /** SHA-256 of the file, in lower-case hex. */
  readonly sha256: string;
}

/**
 * Downloads a URL, which must answer 200, to a new file. The file is deleted after a failure.
 * @throws NetError; the reason of `signal`; EEXIST and other errors of the disk.
 */
export function fetchToFile(
  client: GuardedClient,
  url: string,
  path: string,
  limits: FetchLimits,
  signal?: AbortSignal,
): Promise<FetchedFile> {
  return withDeadline(limits.totalMs, signal, async (inTime) => {
    inTime.throwIfAborted();
    const { status, headers, body } = await client.open(url, { idleMs: limits.idleMs, signal: inTime });
    // An error may come before the first read. The read then fails with the same error.
    body.on('error', () => {});
    try {
      if (status !== 200) throw new NetError('UNREACHABLE', `the server answered with status ${status}`);
      if (!/^(identity)?$/i.test(String(headers['content-encoding'] ?? ''))) {
        throw new NetError(
          'UNREACHABLE',
          'the server sent a compressed response, which guise does not accept',
        );
      }
      if (Number(headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
      return await writeFile(body, path, limits.maxBytes, inTime);
    } finally {
      body.destroy();
    }
  });
}

async function writeFile(
  body: Readable,
  path: string,
  maxBytes: number,
  inTime: AbortSignal,
): Promise<FetchedFile> {
  const file = await open(path, 'wx');
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const part of whileInTime(body, inTime)) {
      sizeBytes += part.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(part);
      await file.writeFile(part);
    }
    await file.close();
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    // The file is closed first, because not every system deletes open files.
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Yields the body's parts. Errors of the connection become NetErrors; those of the consumer are
 * unchanged.
 */
async function* whileInTime(body: Readable, inTime: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw toNetError(error, inTime);
  }
}

function tooLarge(maxBytes: number): NetError {
  return new NetError('TOO_LARGE', `it is larger than ${maxBytes} bytes`);
}

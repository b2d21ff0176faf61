import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@guise/contract/errors.ts';
import type { BodyDeclaration } from '@guise/contract/v1/body.ts';
import { isOutOfSpace, outOfSpace } from '../storage/local-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { ClientGone } from './client-gone.ts';
import { type BodyLimits, JsonBodyReader, type ReadBody } from './json-body-reader.ts';
import { invalidRequest } from './json-string.ts';

/** So that no chunk, however it comes, keeps the process from others for long: after a step the clock is looked at. */
const STEP_BYTES = 16 * 1024;
const LONGEST_TURN_MS = 4;
/**
 * Reads a JSON object whose fields are declared. Media in it are decoded to files and hashed on the way: memory stays
 * flat whatever is sent. The first broken rule ends it, with nothing left on the disk; the rest of the body is the
 * caller's to drain. Nothing declared is nested, so neither is anything accepted.
 * @throws AppError naming the field; INTERNAL_ERROR where the disk is full.
 * @throws ClientGone
 */
export async function readJson(
  request: IncomingMessage,
  declaration: BodyDeclaration,
  limits: BodyLimits,
  storage: Pick<Storage, 'scratchPath'>,
): Promise<ReadBody> {
  requireJson(request);
  const paths: string[] = [];
  const newPath = (): string => {
    const path = storage.scratchPath('upload');
    paths.push(path);
    return path;
  };
  const reader = new JsonBodyReader(declaration, limits, newPath);
  try {
    for await (const chunk of chunksOf(request, declaration.maxBodyBytes)) {
      let turnStarted = performance.now();
      for (let at = 0; at < chunk.length; at += STEP_BYTES) {
        await reader.take(chunk.subarray(at, at + STEP_BYTES));
        if (performance.now() - turnStarted < LONGEST_TURN_MS) continue;
        await nextTurn();
        turnStarted = performance.now();
      }
    }
    return reader.end();
  } catch (error) {
    await reader.close();
    await Promise.all(paths.map((path) => rm(path, { force: true })));
    throw isOutOfSpace(error) ? outOfSpace(error) : error;
  }
}

/** Deletes the files of a body that came to nothing. */
export async function discardBody({ media, lists }: ReadBody): Promise<void> {
  for (const each of [...media.values(), ...lists.values()].flat()) {
    if (each.kind === 'inline') await rm(each.path, { force: true });
  }
}

function requireJson({ headers }: IncomingMessage): void {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw invalidRequest('The request body must have the Content-Type application/json.');
  }
}

async function* chunksOf(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  // It stays: a client that goes away later must not end the process.
  request.on('error', () => {});
  let received = 0;
  try {
    // Gone already, while its key was looked up: no chunk and no end will come any more.
    if (request.destroyed) throw new ClientGone('the client went away before its upload');
    // An early end leaves the connection open, for the refusal.
    for await (const chunk of (request as Readable).iterator({ destroyOnReturn: false })) {
      received += (chunk as Buffer).length;
      if (received > maxBytes)
        throw invalidRequest(`The request is larger than ${maxBytes} bytes.`, maxBytes);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw error instanceof AppError || request.complete
      ? error
      : new ClientGone('the client went away during its upload', { cause: error });
  }
  if (!request.complete) throw new ClientGone('the client went away during its upload');
}

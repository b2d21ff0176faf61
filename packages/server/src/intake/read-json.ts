import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '@guise/contract/errors.ts';
import type { BodyDeclaration } from '@guise/contract/v1/body.ts';
import type { PromisedRoom } from '../storage/disk-room.ts';
import type { Scratch } from '../storage/scratch.ts';
import { type BodyLimits, JsonBodyReader, type ReadBody } from './json-body-reader.ts';
import { invalidRequest } from './json-string.ts';
import { uploadBody } from './upload-body.ts';

/**
 * Bytes of a chunk that are read before the time is checked, so that no chunk blocks the process
 * for long.
 */
const STEP_BYTES = 16 * 1024;

/** Time after which the reading of a chunk yields to other work. */
const MAX_BUSY_MS = 4;

/**
 * Reads a JSON object with declared fields. Media are decoded to files and hashed at the same time,
 * so that memory use stays low. The first broken rule ends the reading and deletes all files; the
 * caller drains the rest of the body. Nested values are refused unless they are declared.
 * @param room reserved disk space, which the body uses.
 * @throws AppError naming the field; BUSY if the disk fills up. The disk's own error.
 * @throws ClientGone
 */
export async function readJson(
  request: IncomingMessage,
  declaration: BodyDeclaration,
  limits: BodyLimits,
  scratch: Pick<Scratch, 'newPath'>,
  room: PromisedRoom,
): Promise<ReadBody> {
  requireJson(request);
  const paths: string[] = [];
  const newPath = (): string => {
    const path = scratch.newPath('upload');
    paths.push(path);
    return path;
  };
  const reader = new JsonBodyReader(declaration, limits, newPath);
  try {
    for await (const chunk of chunksOf(request, declaration.maxBodyBytes, room)) {
      let busySinceMs = performance.now();
      for (let at = 0; at < chunk.length; at += STEP_BYTES) {
        await reader.take(chunk.subarray(at, at + STEP_BYTES));
        if (performance.now() - busySinceMs < MAX_BUSY_MS) continue;
        await yieldToEventLoop();
        busySinceMs = performance.now();
      }
    }
    return reader.end();
  } catch (error) {
    await reader.close();
    await Promise.all(paths.map((path) => rm(path, { force: true })));
    throw error;
  }
}

/** Deletes the files of a body that is not used. */
export async function discardBody({ media, lists }: ReadBody): Promise<void> {
  for (const each of [...media.values(), ...lists.values()].flat()) {
    if (each.kind === 'inline') await rm(each.path, { force: true });
  }
}

function requireJson({ headers }: IncomingMessage): void {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    const message = 'The request body must have the Content-Type application/json.';
    throw new AppError('INVALID_REQUEST', message, { field: 'Content-Type' });
  }
}

async function* chunksOf(
  request: IncomingMessage,
  maxBytes: number,
  room: PromisedRoom,
): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of uploadBody(request, room)) {
    received += (chunk as Buffer).length;
    if (received > maxBytes) throw invalidRequest(`The request is larger than ${maxBytes} bytes.`, maxBytes);
    yield chunk as Buffer;
  }
}

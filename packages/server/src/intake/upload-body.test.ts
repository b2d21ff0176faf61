import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MEBIBYTE } from '@guise/contract/limits.ts';
import { DiskRoom } from '../storage/disk-room.ts';
import { uploadBody } from './upload-body.ts';
import { PACE_INTERVAL_MS } from './upload-pace.ts';

/** A request as the body sees it; what is written to it arrives. */
function asRequest(): PassThrough & { complete: boolean } {
  const request = Object.assign(new PassThrough(), { complete: false });
  request.on('end', () => (request.complete = true));
  return request;
}

const bodyOf = async (request: PassThrough, room = new DiskRoom(async () => Infinity, 0)) =>
  uploadBody(request as unknown as IncomingMessage, await room.promise('ann', 0));

/** Lets that many seconds pass as the timers see it, and what they caused happen. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    mock.timers.tick(PACE_INTERVAL_MS);
    await nextTurn();
  }
}

test('what arrives is passed on, and the end of a whole body is its end', async () => {
  const request = asRequest();
  const body = await bodyOf(request);
  request.end('a form');
  assert.equal(await text(body), 'a form');
});

test('a client that sends nothing for half a minute is refused, and its request stays open', async (context) => {
  mock.timers.enable({ apis: ['setInterval'] });
  context.after(() => mock.timers.reset());
  const request = asRequest();
  const body = await bodyOf(request);
  const failed = assert.rejects(text(body), {
    code: 'INVALID_REQUEST',
    message: 'The upload was too slow: it must send at least 32768 bytes per second on average.',
    details: { limit: 32_768 },
  });
  request.write('x');
  await pass(29);
  assert.equal(body.destroyed, false);
  await pass(3);
  assert.equal(body.destroyed, true);
  await failed;
  assert.deepEqual([request.destroyed, request.listenerCount('close')], [false, 0]);
});

test('a client that waits for the service is never too slow', async (context) => {
  mock.timers.enable({ apis: ['setInterval'] });
  context.after(() => mock.timers.reset());
  const request = asRequest();
  const body = await bodyOf(request);
  // Nobody reads, so the buffers between fill up and the client is held up.
  for (let sent = 0; sent < 8; sent += 1) request.write(Buffer.alloc(64 * 1024));
  await pass(100);
  assert.equal(body.destroyed, false);
  body.destroy();
});

test('a disk that fills up while the body comes ends it', async () => {
  let freeBytes = 1000;
  const request = asRequest();
  const body = await bodyOf(request, new DiskRoom(async () => freeBytes, 500));
  freeBytes = 499;
  request.end(Buffer.alloc(5 * MEBIBYTE));
  await assert.rejects(text(body), { code: 'BUSY' });
});

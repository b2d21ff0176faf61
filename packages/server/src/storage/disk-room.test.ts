import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MEBIBYTE } from '@guise/contract/limits.ts';
import { DiskRoom } from './disk-room.ts';

const RESERVE = 100;
const NO_ROOM = { code: 'BUSY', message: 'The service has no room left to store files; try again later.' };

/** A disk whose free bytes the test sets. */
function disk(freeBytes: number) {
  const state = { freeBytes, looks: 0 };
  const room = new DiskRoom(async () => {
    state.looks += 1;
    return state.freeBytes;
  }, RESERVE);
  return { state, room };
}

test('all that is promised fits beside the reserve, also where many ask at once', async () => {
  const { room } = disk(RESERVE + 1000);
  const asked = Array.from({ length: 30 }, (_, n) => room.promise(`account ${n}`, 100));
  const outcomes = await Promise.allSettled(asked);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10);
  assert.equal(room.promisedBytes, 1000);
  await assert.rejects(room.promise('late', 1), NO_ROOM);
});

test('what arrived is no longer promised, and what did not arrive is given back, once', async () => {
  const { room, state } = disk(RESERVE + 1000);
  const upload = await room.promise('ann', 800);
  await upload.use(300);
  state.freeBytes -= 300;
  assert.equal(room.promisedBytes, 500);
  await assert.rejects(room.promise('bob', 201), NO_ROOM);
  upload.release();
  upload.release();
  assert.equal(room.promisedBytes, 0);
  await room.promise('bob', 700);
});

test('more than was promised takes nothing from others', async () => {
  const { room } = disk(RESERVE + 1000);
  const upload = await room.promise('ann', 10);
  const other = await room.promise('bob', 500);
  await upload.use(400);
  assert.equal(room.promisedBytes, 500);
  upload.release();
  other.release();
  assert.equal(room.promisedBytes, 0);
});

test('one account is promised half of the room, but for an upload that is its only one', async () => {
  const { room } = disk(RESERVE + 1000);
  const whole = await room.promise('ann', 1000);
  whole.release();
  await room.promise('ann', 300);
  await room.promise('ann', 200);
  await assert.rejects(room.promise('ann', 1), NO_ROOM);
  await room.promise('bob', 500);
});

test('while an upload comes the disk is looked at every 4 MiB, and it ends at the reserve', async () => {
  const { room, state } = disk(RESERVE + 100 * MEBIBYTE);
  const upload = await room.promise('ann', 50 * MEBIBYTE);
  for (let sent = 0; sent < 12; sent += 1) await upload.use(MEBIBYTE);
  assert.equal(state.looks, 1 + 3);
  state.freeBytes = RESERVE - 1;
  for (let sent = 0; sent < 3; sent += 1) await upload.use(MEBIBYTE);
  await assert.rejects(async () => upload.use(MEBIBYTE), NO_ROOM);
});

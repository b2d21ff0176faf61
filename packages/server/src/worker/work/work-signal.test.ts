import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lane } from '@guise/contract/task.ts';
import { WorkSignal } from './work-signal.ts';

const NEVER_MS = 600_000;

test('a wake between the look at the queue and the waiting is not lost', async () => {
  const work = new WorkSignal();
  const seen = work.count;
  work.wake(null);
  await work.wait(seen, ['long'], NEVER_MS, new AbortController().signal);
});

test('one wake reaches every slot that waits', async () => {
  const work = new WorkSignal();
  const waits = [1, 2, 3].map(() => work.wait(work.count, ['long'], NEVER_MS, new AbortController().signal));
  work.wake(null);
  await Promise.all(waits);
});

test('waiting ends at its time limit and on abort, so that a lost notification delays work but never loses it', async () => {
  const work = new WorkSignal();
  await work.wait(work.count, ['long'], 1, new AbortController().signal);
  const abort = new AbortController();
  const wait = work.wait(work.count, ['long'], NEVER_MS, abort.signal);
  abort.abort();
  await wait;
  assert.equal(work.count, 0);
});

test('the slot that worked last goes first, as its engine is the warmest', async () => {
  const work = new WorkSignal();
  const woken: string[] = [];
  const wait = (slot: string): Promise<unknown> =>
    work.wait(work.count, ['long'], NEVER_MS, new AbortController().signal).then(() => woken.push(slot));
  const waits = [wait('idle for long'), wait('idle'), wait('worked last')];
  work.wake(null);
  await Promise.all(waits);
  assert.deepEqual(woken, ['worked last', 'idle', 'idle for long']);
});

test('work of one lane wakes only the slots that take it', async () => {
  const work = new WorkSignal();
  const abort = new AbortController();
  const woken: string[] = [];
  const wait = (lanes: readonly Lane[]): Promise<unknown> =>
    work.wait(work.count, lanes, NEVER_MS, abort.signal).then(() => woken.push(lanes.join()));
  const short = wait(['short']);
  const both = wait(['short', 'long']);
  work.wake('long');
  await both;
  assert.deepEqual(woken, ['short,long']);
  work.wake('short');
  await short;
});

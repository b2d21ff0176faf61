import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Lane } from '@guise/contract/task.ts';
import { WorkSignal } from './work-signal.ts';

const NEVER_MS = 600_000;
const end = new AbortController();
const NEVER = end.signal;
// Slots that nothing woke still wait.
after(() => end.abort());

/** Slots that wait, and how they were woken, in that order. */
class Slots {
  readonly woken: string[] = [];
  readonly #work: WorkSignal;

  constructor(work: WorkSignal) {
    this.#work = work;
  }

  wait(name: string, lanes: readonly Lane[] = ['short', 'long']): Promise<Lane | null> {
    const wait = this.#work.wait(this.#work.count, lanes, NEVER_MS, NEVER);
    void wait.then(() => this.woken.push(name));
    return wait;
  }
}

test('a hint between the look at the queue and the waiting is not lost', async () => {
  for (const lane of [null, 'long'] as const) {
    const work = new WorkSignal();
    const seen = work.count;
    work.wake(lane);
    await work.wait(seen, ['long'], NEVER_MS, NEVER);
  }
});

test('a hint wakes one slot, the one that worked last, and the next hint the one before it', async () => {
  const work = new WorkSignal();
  const slots = new Slots(work);
  const [, second, first] = ['idle for long', 'idle', 'worked last'].map((name) => slots.wait(name));
  work.wake('short');
  assert.equal(await first, 'short');
  assert.deepEqual(slots.woken, ['worked last']);
  work.wake('long');
  assert.equal(await second, 'long');
  assert.deepEqual(slots.woken, ['worked last', 'idle']);
});

test('a hint that one slot got makes no other look again', async () => {
  const work = new WorkSignal();
  const slots = new Slots(work);
  const seen = work.count;
  const idle = slots.wait('idle');
  work.wake('short');
  await idle;
  assert.equal(work.count, seen);
});

test('where anything may have been missed, every slot looks', async () => {
  const work = new WorkSignal();
  const slots = new Slots(work);
  const waits = [1, 2, 3].map((n) => slots.wait(`slot ${n}`));
  work.wake(null);
  assert.deepEqual(await Promise.all(waits), [null, null, null]);
});

test('waiting ends at its time limit and on abort, so that a lost notification delays work but never loses it', async () => {
  const work = new WorkSignal();
  assert.equal(await work.wait(work.count, ['long'], 1, NEVER), null);
  const abort = new AbortController();
  const wait = work.wait(work.count, ['long'], NEVER_MS, abort.signal);
  abort.abort();
  assert.equal(await wait, null);
  assert.equal(work.count, 0);
});

test('work of one lane wakes only the slots that take it', async () => {
  const work = new WorkSignal();
  const slots = new Slots(work);
  const both = slots.wait('both');
  const short = slots.wait('short', ['short']);
  work.wake('long');
  await both;
  assert.deepEqual(slots.woken, ['both']);
  work.wake('short');
  await short;
});

test('after a look in vain the hints of a while wake as many slots together', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const work = new WorkSignal();
  const slots = new Slots(work);
  work.foundNothing('short');
  const waits = ['one', 'two', 'three'].map((name) => slots.wait(name));
  work.wake('short');
  work.wake('short');
  await Promise.resolve();
  assert.deepEqual(slots.woken, []);
  context.mock.timers.tick(8);
  await Promise.all(waits.slice(1));
  assert.deepEqual(slots.woken, ['three', 'two']);
});

test('pauses grow while looks are in vain, up to a limit, and end with one that is not', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  context.mock.method(Math, 'random', () => 1);
  const work = new WorkSignal();
  const pauseMs = async (): Promise<number> => {
    const woken: string[] = [];
    const wait = work.wait(work.count, ['short'], NEVER_MS, NEVER).then(() => woken.push('idle'));
    work.wake('short');
    let ms = 0;
    for (await Promise.resolve(); woken.length === 0; ms += 1) {
      context.mock.timers.tick(1);
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    }
    await wait;
    return ms;
  };
  const pauses: number[] = [];
  for (let look = 0; look < 5; look++) {
    work.foundNothing('short');
    pauses.push(await pauseMs());
  }
  assert.deepEqual(pauses, [8, 16, 32, 64, 64]);
  work.found('short');
  assert.equal(await pauseMs(), 0);
});

test('one lane does not rest for the other, nor after a look that no hint caused', async () => {
  const work = new WorkSignal();
  const slots = new Slots(work);
  work.foundNothing('long');
  work.foundNothing(null);
  const wait = slots.wait('idle');
  work.wake('short');
  assert.equal(await wait, 'short');
});

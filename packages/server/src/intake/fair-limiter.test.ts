import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Requester, FairLimiter } from './fair-limiter.ts';

let accountCount = 0;
/** Makes a requester with an account of its own. */
const newRequester = (signal = new AbortController().signal): Requester => ({
  accountId: `account ${accountCount++}`,
  signal,
});

/** Makes work that reports when it began and ends on demand. */
function job() {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const work = (): Promise<void> => {
    begun.resolve();
    return end.promise;
  };
  return { work, begun: begun.promise, end };
}

test('no more run at once than allowed, the others in the order they came', async () => {
  const limiter = new FairLimiter(2);
  const order: number[] = [];
  const jobs = [job(), job(), job(), job()];
  const all = jobs.map(({ work }, index) =>
    limiter.run(() => {
      order.push(index);
      return work();
    }, newRequester()),
  );
  await jobs[1]!.begun;
  assert.deepEqual(order, [0, 1]);
  jobs[1]!.end.resolve();
  await jobs[2]!.begun;
  assert.deepEqual(order, [0, 1, 2]);
  for (const { end } of jobs) end.resolve();
  await Promise.all(all);
  assert.deepEqual(order, [0, 1, 2, 3]);
});

test('work that fails leaves its place to the next', async () => {
  const limiter = new FairLimiter(1);
  await assert.rejects(
    limiter.run(() => Promise.reject(new Error('broken')), newRequester()),
    /broken/,
  );
  assert.equal(await limiter.run(() => Promise.resolve(7), newRequester()), 7);
});

test('a waiter that gives up leaves the line, and the next one still runs', async () => {
  const limiter = new FairLimiter(1);
  const first = job();
  const running = limiter.run(first.work, newRequester());
  const impatient = new AbortController();
  let ran = false;
  const gone = limiter.run(() => {
    ran = true;
    return Promise.resolve();
  }, newRequester(impatient.signal));
  const last = limiter.run(() => Promise.resolve('last'), newRequester());
  impatient.abort(new Error('gone'));
  await assert.rejects(gone, /gone/);
  first.end.resolve();
  await running;
  assert.equal(await last, 'last');
  assert.equal(ran, false);
  await assert.rejects(
    limiter.run(() => Promise.resolve(), newRequester(impatient.signal)),
    /gone/,
  );
});

test('one account never holds all places, and does not keep others from the free one', async () => {
  const limiter = new FairLimiter(2);
  const ann = newRequester();
  const [first, second, other] = [job(), job(), job()];
  const order: string[] = [];
  const all = [
    limiter.run(first.work, ann),
    limiter.run(() => {
      order.push('second of Ann');
      return second.work();
    }, ann),
    limiter.run(() => {
      order.push('somebody else');
      return other.work();
    }, newRequester()),
  ];
  await other.begun;
  assert.deepEqual(order, ['somebody else']);
  first.end.resolve();
  await second.begun;
  other.end.resolve();
  second.end.resolve();
  await Promise.all(all);
  assert.deepEqual(order, ['somebody else', 'second of Ann']);
});

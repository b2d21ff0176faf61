import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asker, Turns } from './turns.ts';

let accounts = 0;
/** Somebody new each time. */
const somebody = (signal = new AbortController().signal): Asker => ({
  accountId: `account ${accounts++}`,
  signal,
});

/** Work that says when it began and ends when it is told to. */
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
  const turns = new Turns(2);
  const order: number[] = [];
  const jobs = [job(), job(), job(), job()];
  const all = jobs.map(({ work }, index) =>
    turns.take(() => {
      order.push(index);
      return work();
    }, somebody()),
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

test('a turn comes back after work that fails', async () => {
  const turns = new Turns(1);
  await assert.rejects(
    turns.take(() => Promise.reject(new Error('broken')), somebody()),
    /broken/,
  );
  assert.equal(await turns.take(() => Promise.resolve(7), somebody()), 7);
});

test('who gives up while waiting leaves the line, and nobody loses a turn by it', async () => {
  const turns = new Turns(1);
  const first = job();
  const running = turns.take(first.work, somebody());
  const impatient = new AbortController();
  let ran = false;
  const gone = turns.take(() => {
    ran = true;
    return Promise.resolve();
  }, somebody(impatient.signal));
  const last = turns.take(() => Promise.resolve('last'), somebody());
  impatient.abort(new Error('gone'));
  await assert.rejects(gone, /gone/);
  first.end.resolve();
  await running;
  assert.equal(await last, 'last');
  assert.equal(ran, false);
  await assert.rejects(
    turns.take(() => Promise.resolve(), somebody(impatient.signal)),
    /gone/,
  );
});

test('one account never holds all turns, and keeps nobody behind it from the one that is free', async () => {
  const turns = new Turns(2);
  const ann = somebody();
  const [first, second, other] = [job(), job(), job()];
  const order: string[] = [];
  const all = [
    turns.take(first.work, ann),
    turns.take(() => {
      order.push('second of Ann');
      return second.work();
    }, ann),
    turns.take(() => {
      order.push('somebody else');
      return other.work();
    }, somebody()),
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

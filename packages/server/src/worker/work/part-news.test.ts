import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Notifications, openNotifications } from '../../db/notifications.ts';
import { createTestDatabase, type TestDatabase } from '../../db/test-database.ts';
import { PartNews } from './part-news.ts';

let t: TestDatabase;
let here: Notifications;
let elsewhere: Notifications;
before(async () => {
  t = await createTestDatabase();
  [here, elsewhere] = [openNotifications(t.url), openNotifications(t.url)];
  await Promise.all([here.connected, elsewhere.connected]);
});
after(async () => {
  await Promise.all([here.close(), elsewhere.close()]);
  await t.close();
});

/** Longer than any test may take. */
const LONG_MS = 600_000;
const NEVER = new AbortController().signal;

test('a leader hears of parts that were finished in its process, and in others', async () => {
  const [leaders, workers] = [new PartNews(t.db, here), new PartNews(t.db, elsewhere)];
  const watch = leaders.watch('a task');
  // Said before the wait, it is not lost.
  leaders.tell('a task');
  await watch.wait(LONG_MS, 1, NEVER);
  const waiting = watch.wait(LONG_MS, 1, NEVER);
  workers.tell('another task');
  workers.tell('a task');
  await waiting;
  leaders.unwatch('a task', watch);
  leaders.stop();
  workers.stop();
});

test('many finished parts of one task make few notifications, and the last one is never left out', async () => {
  const workers = new PartNews(t.db, elsewhere);
  let heard = 0;
  const last = Promise.withResolvers<void>();
  const stop = here.listen('guise_part_done', (taskId) => {
    if (taskId === 'many') heard += 1;
    if (taskId === 'many' && heard === 2) last.resolve();
  });
  for (let n = 0; n < 1000; n++) workers.tell('many');
  await last.promise;
  assert.equal(heard, 2);
  stop();
  workers.stop();
});

test('a wait ends with the time, and when the work is aborted', async () => {
  const news = new PartNews(t.db, here);
  const watch = news.watch('a task');
  await watch.wait(1, 1, NEVER);
  const aborted = new AbortController();
  const waiting = watch.wait(LONG_MS, 1, aborted.signal);
  aborted.abort();
  await waiting;
  await watch.wait(LONG_MS, 1, aborted.signal);
  news.unwatch('a task', watch);
  news.stop();
});

test('some news end a wait after a while, and those of all parts at once', async () => {
  const news = new PartNews(t.db, here);
  const watch = news.watch('a task');
  watch.wake();
  await watch.wait(LONG_MS, 100, NEVER);
  // The last wait is just over.
  watch.wake();
  await watch.wait(LONG_MS, 100, NEVER);
  const waiting = watch.wait(LONG_MS, 3, NEVER);
  for (let n = 0; n < 3; n++) watch.wake();
  await waiting;
  news.stop();
});

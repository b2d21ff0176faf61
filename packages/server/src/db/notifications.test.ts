import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { notifyInBackground, openNotifications } from './notifications.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('a broken connection is made again, and listeners are told that they may have missed something', async () => {
  const notifications = openNotifications(t.url);
  try {
    await notifications.connected;
    const heard: (string | null)[] = [];
    let wake = Promise.withResolvers<void>();
    const stop = notifications.listen('guise_finished', (payload) => {
      heard.push(payload);
      wake.resolve();
    });
    const next = async (): Promise<void> => {
      await wake.promise;
      wake = Promise.withResolvers();
    };
    notifyInBackground(t.db.pool, 'guise_finished', 'one');
    await next();
    await t.db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()`,
    );
    await next();
    notifyInBackground(t.db.pool, 'guise_pending', 'short');
    notifyInBackground(t.db.pool, 'guise_finished', 'two');
    await next();
    assert.deepEqual(heard, ['one', null, 'two']);
    stop();
  } finally {
    await notifications.close();
  }
});

test('can be closed before it ever connected', async () => {
  const errors: Error[] = [];
  const notifications = openNotifications('postgres://nobody@127.0.0.1:1/none', (error) =>
    errors.push(error),
  );
  await notifications.close();
});

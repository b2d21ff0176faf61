import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteAccount } from '../accounts/delete-account.ts';
import { createTask } from '../tasks/create-task.ts';
import { newAccount, newPhoto } from '../tasks/testing/task-fixtures.ts';
import { retryDeadlocks } from './retry-deadlocks.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { untilLockWait } from './testing/until-lock-wait.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('an account is deleted also where its task ends in the same moment', async () => {
  const accountId = await newAccount(t.db, 3);
  const { task } = await createTask(t.db, await newPhoto(t.db, accountId));
  const ending = await t.db.pool.connect();
  // What an end locks, in its order.
  await ending.query('begin');
  await ending.query('select 1 from tasks where id = $1 for update', [task!.id]);
  const deleted = deleteAccount(t.db, accountId);
  await untilLockWait(t.db.pool);
  const ended = await Promise.allSettled([
    ending.query('update objects set delete_after = now() where task_id = $1', [task!.id]),
  ]);
  await ending.query(ended[0].status === 'fulfilled' ? 'commit' : 'rollback');
  ending.release();
  await deleted;
  assert.equal((await t.db.pool.query('select 1 from accounts where id = $1', [accountId])).rowCount, 0);
  assert.equal((await t.db.pool.query('select 1 from tasks where id = $1', [task!.id])).rowCount, 0);
});

test('what is no deadlock, and one that stays, is thrown', async () => {
  let attempts = 0;
  const failing = (code: string) => async (): Promise<never> => {
    attempts += 1;
    throw Object.assign(new Error('refused'), { code });
  };
  await assert.rejects(retryDeadlocks(failing('23503')), { code: '23503' });
  assert.equal(attempts, 1);
  await assert.rejects(retryDeadlocks(failing('40P01')), { code: '40P01' });
  assert.equal(attempts, 1 + 5);
});

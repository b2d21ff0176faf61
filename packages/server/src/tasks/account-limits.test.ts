import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AppError } from '@guise/contract/errors.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { checkAccountLimits } from './account-limits.ts';
import { cancelTask } from './cancel-task.ts';
import { createTask } from './create-task.ts';
import { newAccount, newOutput, newPhoto } from './testing/task-fixtures.ts';

const NONE = { waitingTasks: null, keptOutputBytes: null };

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('the task beyond the waiting ones is refused, until one of them no longer waits', async () => {
  const accountId = await newAccount(t.db, 30);
  const check = (): Promise<void> => checkAccountLimits(t.db.pool, accountId, { ...NONE, waitingTasks: 2 });
  const { task } = await createTask(t.db, await newPhoto(t.db, accountId));
  await check();
  await createTask(t.db, await newPhoto(t.db, accountId));
  await assert.rejects(check(), (error) => {
    assert(error instanceof AppError);
    assert.equal(error.code, 'TASK_LIMIT');
    assert.equal(error.message, 'Your plan allows 2 waiting tasks at a time; try again in 30 seconds.');
    assert.deepEqual(error.details, { limit: 2, resetSeconds: 30 });
    return true;
  });
  await checkAccountLimits(t.db.pool, await newAccount(t.db, 0), { ...NONE, waitingTasks: 2 });
  const address = { accountId, taskId: task!.id, interface: 'ai-tasks', type: 'IMAGE_SWAP' } as const;
  await cancelTask(t.db, address, { inputRetentionMs: 0 });
  await check();
});

test('kept results are summed up, uploads and what is past its time are not', async () => {
  const accountId = await newAccount(t.db, 30);
  const { task } = await createTask(t.db, await newPhoto(t.db, accountId));
  // 2000 bytes each.
  const [kept, gone] = [
    await newOutput(t.db, accountId, task!.id),
    await newOutput(t.db, accountId, task!.id),
  ];
  const setEnd = (key: string, end: string): Promise<unknown> =>
    t.db.pool.query('update objects set delete_after = now() + $2::interval where key = $1', [key, end]);
  await setEnd(gone.objectKey, '-1 s');
  await setEnd(kept.objectKey, '1 hour');
  await checkAccountLimits(t.db.pool, accountId, { ...NONE, keptOutputBytes: 2001 });
  await assert.rejects(
    checkAccountLimits(t.db.pool, accountId, { ...NONE, keptOutputBytes: 2000 }),
    (error) => {
      assert(error instanceof AppError);
      assert.equal(error.code, 'OUTPUT_LIMIT');
      assert.match(
        error.message,
        /^Your plan stores up to 0 GiB of results, and this limit is reached. The oldest result is deleted in/,
      );
      assert.equal(error.details.limit, 2000);
      assert(error.details.resetSeconds! > 3000 && error.details.resetSeconds! <= 3600);
      return true;
    },
  );
  await checkAccountLimits(t.db.pool, accountId, NONE);
});

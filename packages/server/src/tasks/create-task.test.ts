import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { AppError } from '@guise/contract/errors.ts';
import { checkLedger } from '../credits/check-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { openDatabase } from '../db/database.ts';
import { openNotifications } from '../db/notifications.ts';
import { cancelTask } from './cancel-task.ts';
import { createTask } from './create-task.ts';
import { getTask } from './get-task.ts';
import { findRememberedAnswer, rememberAnswer } from './idempotency.ts';
import { newAccount, newBatch, newDetection, newPhoto } from './testing/task-fixtures.ts';
import type { NewTask } from './task.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const answer = (taskId: string) => ({ status: 200, body: { taskId, status: 'PENDING' } });
const codeOf = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

async function balance(accountId: string): Promise<{ available: number; held: number }> {
  const { rows } = await t.db.pool.query(
    'select credits_available as available, credits_held as held from accounts where id = $1',
    [accountId],
  );
  return rows[0];
}

test('creating holds the credits, writes the ledger and keeps the uploads', async () => {
  const accountId = await newAccount(t.db, 10);
  const photo = await newPhoto(t.db, accountId);
  const { task } = await createTask(t.db, photo);
  assert(task);
  assert.equal(task.status, 'PENDING');
  assert.equal(task.costCredits, 3);
  assert.deepEqual(await balance(accountId), { available: 7, held: 3 });
  const kept = await t.db.pool.query('select delete_after from objects where task_id = $1', [task.id]);
  assert.deepEqual(kept.rows, [{ delete_after: Infinity }, { delete_after: Infinity }]);
  const read = await getTask(t.db, { accountId, taskId: task.id, interface: 'ai-tasks', type: 'IMAGE_SWAP' });
  assert.deepEqual(read, task);
  assert.deepEqual(await checkLedger(t.db), []);
});

test('30 creates at once against credits for 10 make exactly 10 tasks', async () => {
  const accountId = await newAccount(t.db, 30);
  const photos = await Promise.all(Array.from({ length: 30 }, () => newPhoto(t.db, accountId)));
  const outcomes = await Promise.allSettled(photos.map((photo) => createTask(t.db, photo)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.equal(outcomes.length - refused.length, 10);
  for (const { reason } of refused) {
    assert(codeOf('INSUFFICIENT_CREDITS')(reason), String(reason));
    assert.deepEqual(reason.details, { required: 3, available: 0 });
  }
  assert.deepEqual(await balance(accountId), { available: 0, held: 30 });
  assert.deepEqual(await checkLedger(t.db), []);
});

test('too few credits change nothing and say what is needed', async () => {
  const accountId = await newAccount(t.db, 1);
  const photo = await newPhoto(t.db, accountId);
  await assert.rejects(createTask(t.db, photo), {
    code: 'INSUFFICIENT_CREDITS',
    message: 'This task costs 3 credits and the account has 1.',
    details: { required: 3, available: 1 },
  });
  const { rowCount } = await t.db.pool.query('select 1 from tasks where account_id = $1', [accountId]);
  assert.equal(rowCount, 0);
  const inputs = await t.db.pool.query('select 1 from objects where account_id = $1 and task_id is null', [
    accountId,
  ]);
  assert.equal(inputs.rowCount, 2);
});

test('a task is never made on an upload that is gone or belongs to somebody else', async () => {
  const accountId = await newAccount(t.db, 10);
  const stranger = await newAccount(t.db, 10);
  const photo = await newPhoto(t.db, accountId);
  await assert.rejects(createTask(t.db, { ...photo, accountId: stranger }), /upload was swept/);
  await t.db.pool.query('delete from objects where account_id = $1', [accountId]);
  await assert.rejects(createTask(t.db, photo), /upload was swept/);
  assert.deepEqual(await balance(accountId), { available: 10, held: 0 });
  assert.deepEqual(await balance(stranger), { available: 10, held: 0 });
});

test('hidden tasks cost nothing and cannot be read by id', async () => {
  const accountId = await newAccount(t.db, 0);
  const { task } = await createTask(t.db, await newDetection(t.db, accountId));
  assert(task);
  const address = { accountId, taskId: task.id, interface: 'ai-tasks' as const, type: 'IMAGE_SWAP' as const };
  assert.equal(await getTask(t.db, address), null);
  assert.deepEqual(await checkLedger(t.db), []);
});

test('workers hear of a task once it is committed', async () => {
  const accountId = await newAccount(t.db, 3);
  const photo = await newPhoto(t.db, accountId);
  const notifications = openNotifications(t.url);
  try {
    await notifications.connected;
    const heard = new Promise<string>((resolve) => {
      notifications.listen('guise_pending', (payload) => payload !== null && resolve(payload));
    });
    await createTask(t.db, photo);
    assert.equal(await heard, 'short');
  } finally {
    await notifications.close();
  }
});

test('the same request with the same key gets the first answer, whatever the credits are by then', async () => {
  const accountId = await newAccount(t.db, 3);
  const idempotency = { key: 'order-1', fingerprint: randomBytes(32), answer };
  const first = await createTask(t.db, await newPhoto(t.db, accountId), idempotency);
  assert(first.task);
  const second = await createTask(t.db, await newPhoto(t.db, accountId), idempotency);
  assert.deepEqual(second, { task: null, replay: answer(first.task.id) });
  assert.deepEqual(await findRememberedAnswer(t.db, accountId, idempotency), answer(first.task.id));
  assert.deepEqual(await balance(accountId), { available: 0, held: 3 });
});

test('twins with one key, sent at once, make one task', async () => {
  const accountId = await newAccount(t.db, 30);
  const idempotency = { key: 'k'.repeat(255), fingerprint: randomBytes(32), answer };
  const photos = await Promise.all(Array.from({ length: 8 }, () => newPhoto(t.db, accountId)));
  const outcomes = await Promise.all(photos.map((photo) => createTask(t.db, photo, idempotency)));
  const made = outcomes.flatMap(({ task }) => (task ? [task] : []));
  assert.equal(made.length, 1);
  const replays = outcomes.flatMap(({ replay }) => (replay ? [replay] : []));
  assert.deepEqual(
    replays,
    Array.from({ length: 7 }, () => answer(made[0]?.id ?? '')),
  );
  assert.deepEqual(await balance(accountId), { available: 27, held: 3 });
});

test('the same key with another request is a conflict, on every path', async () => {
  const accountId = await newAccount(t.db, 30);
  const key = 'order-2';
  await createTask(t.db, await newPhoto(t.db, accountId), { key, fingerprint: randomBytes(32), answer });
  const other = { key, fingerprint: randomBytes(32) };
  const photo: NewTask = await newPhoto(t.db, accountId);
  await assert.rejects(createTask(t.db, photo, { ...other, answer }), codeOf('IDEMPOTENCY_CONFLICT'));
  await assert.rejects(findRememberedAnswer(t.db, accountId, other), codeOf('IDEMPOTENCY_CONFLICT'));
  await assert.rejects(rememberAnswer(t.db, accountId, other, answer('x')), codeOf('IDEMPOTENCY_CONFLICT'));
  const stranger = await newAccount(t.db, 30);
  assert.equal(await findRememberedAnswer(t.db, stranger, other), null);
});

test('a refused request is not remembered', async () => {
  const accountId = await newAccount(t.db, 0);
  const idempotency = { key: 'order-3', fingerprint: randomBytes(32), answer };
  const photo = await newPhoto(t.db, accountId);
  await assert.rejects(createTask(t.db, photo, idempotency), codeOf('INSUFFICIENT_CREDITS'));
  assert.equal(await findRememberedAnswer(t.db, accountId, idempotency), null);
  await t.db.pool.query(`update accounts set credits_available = 3 where id = $1`, [accountId]);
  await t.db.pool.query(
    `insert into credit_entries (account_id, kind, available_change, held_change, available_after, held_after)
     values ($1, 'grant', 3, 0, 3, 0)`,
    [accountId],
  );
  assert((await createTask(t.db, photo, idempotency)).task);
  assert.deepEqual(await checkLedger(t.db), []);
});

test('answers of dry runs are remembered, the first one wins, and a day later the key is free', async () => {
  const accountId = await newAccount(t.db, 30);
  const request = { key: 'dry', fingerprint: randomBytes(32) };
  const [one, two] = [
    { status: 200, body: { dryRun: true, n: 1 } },
    { status: 200, body: { dryRun: true, n: 2 } },
  ];
  assert.deepEqual(await rememberAnswer(t.db, accountId, request, one), one);
  assert.deepEqual(await rememberAnswer(t.db, accountId, request, two), one);
  await t.db.pool.query(
    `update idempotency_keys set created_at = now() - interval '24 hours' where account_id = $1`,
    [accountId],
  );
  assert.equal(await findRememberedAnswer(t.db, accountId, request), null);
  const otherRequest = { key: 'dry', fingerprint: randomBytes(32), answer };
  assert((await createTask(t.db, await newPhoto(t.db, accountId), otherRequest)).task);
});

test('20 creates at once in two processes make exactly as many unfinished tasks as the account may have', async () => {
  const accountId = await newAccount(t.db, 300);
  const other = openDatabase(t.url, { poolSize: 10 });
  try {
    const batches = await Promise.all(Array.from({ length: 20 }, () => newBatch(t.db, accountId)));
    const outcomes = await Promise.allSettled(
      batches.map((batch, index) => {
        const idempotency = { key: `batch-${index}`, fingerprint: randomBytes(32), answer };
        return createTask(
          index % 2 === 0 ? t.db : other,
          { ...batch, maxUnfinished: 5 },
          // Keys hold the account too: mixed, so that a wrong lock would deadlock.
          index % 4 < 2 ? idempotency : undefined,
        );
      }),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(outcomes.length - refused.length, 5);
    for (const { reason } of refused) {
      assert(codeOf('CONCURRENT_BATCH_LIMIT')(reason), String(reason));
      assert.deepEqual(reason.details, { limit: 5, resetSeconds: 30 });
    }
    assert.deepEqual(await balance(accountId), { available: 285, held: 15 });
    assert.deepEqual(await checkLedger(t.db), []);
  } finally {
    await other.close();
  }
});

test('only unfinished tasks of the same interface, type and account count, and a replay counts none', async () => {
  const accountId = await newAccount(t.db, 100);
  const create = async (over: Partial<NewTask>, idempotency?: Parameters<typeof createTask>[2]) =>
    createTask(t.db, { ...(await newBatch(t.db, accountId)), maxUnfinished: 1, ...over }, idempotency);
  const idempotency = { key: 'batch', fingerprint: randomBytes(32), answer };
  const first = await create({}, idempotency);
  assert(first.task);
  assert.deepEqual((await create({}, idempotency)).replay, answer(first.task.id));
  await assert.rejects(create({}), codeOf('CONCURRENT_BATCH_LIMIT'));
  await t.db.pool.query(
    `update tasks set status = 'PROCESSING', lease_token = gen_random_uuid(), lease_until = now(), started_at = now()
     where id = $1`,
    [first.task.id],
  );
  await assert.rejects(create({}), {
    code: 'CONCURRENT_BATCH_LIMIT',
    message: 'Your plan allows one batch at a time.',
  });
  assert((await create({ interface: 'ai-tasks' })).task);
  assert((await create({ type: 'VIDEO_SWAP' })).task);
  const stranger = await newAccount(t.db, 3);
  assert((await createTask(t.db, { ...(await newBatch(t.db, stranger)), maxUnfinished: 1 })).task);
  const { id: taskId, type } = first.task;
  await cancelTask(
    t.db,
    { accountId, taskId, interface: 'v1', type: type as 'BATCH_FACE_SWAP' },
    { inputRetentionMs: 0 },
  );
  assert((await create({})).task);
});

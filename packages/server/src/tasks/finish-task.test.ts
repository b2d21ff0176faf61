import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AppError } from '@guise/contract/errors.ts';
import { checkLedger } from '../credits/check-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { cancelHiddenTask } from './cancel-hidden-task.ts';
import { cancelTask } from './cancel-task.ts';
import type { ClaimedTask } from './queue/claim-tasks.ts';
import { claimTask } from './testing/claim-task.ts';
import { createTask } from './create-task.ts';
import { finishTask } from './finish-task.ts';
import { getTask, type TaskAddress } from './get-task.ts';
import { heartbeat } from './heartbeat.ts';
import { pruneExpired } from './prune.ts';
import { LanePace } from './queue/lane-pace.ts';
import { readQueueDepth } from './queue/queue-depth.ts';
import { heldNetworks } from '../networks/testing/test-networks.ts';
import { announceWorker } from './queue/worker-presence.ts';
import { reap } from './reap.ts';
import { returnTask } from './return-task.ts';
import { newAccount, newDetection, newOutput, newPhoto, resultWith } from './testing/task-fixtures.ts';

/** Runs out in no test by itself. */
const LEASE_MS = 600_000;
const RETENTION = { inputRetentionMs: 0 };
const PATIENT = { deadlineMs: 600_000, ...RETENTION };

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(async () => {
  assert.deepEqual(await checkLedger(t.db), []);
  await t.close();
});

interface Running {
  readonly task: ClaimedTask;
  readonly lease: { taskId: string; leaseToken: string };
  readonly address: TaskAddress;
}

/** A photo task of a new account with 10 credits, in a worker's hands. */
async function startPhoto(): Promise<Running> {
  const accountId = await newAccount(t.db, 10);
  await createTask(t.db, await newPhoto(t.db, accountId));
  return claim(accountId);
}

async function claim(accountId: string): Promise<Running> {
  const task = await claimTask(t.db, { lanes: ['short', 'long'], leaseMs: LEASE_MS });
  assert(task);
  assert.equal(task.accountId, accountId);
  return {
    task,
    lease: { taskId: task.id, leaseToken: task.leaseToken },
    address: { accountId, taskId: task.id, interface: 'ai-tasks', type: 'IMAGE_SWAP' },
  };
}

async function balance(accountId: string): Promise<[number, number]> {
  const { rows } = await t.db.pool.query(
    'select credits_available, credits_held from accounts where id = $1',
    [accountId],
  );
  return [rows[0].credits_available, rows[0].credits_held];
}

async function deletions(taskId: string): Promise<Record<string, string>> {
  const { rows } = await t.db.pool.query(
    `select key, case when delete_after = 'infinity' then 'never' when delete_after <= now() then 'now' else 'later' end
       as due from objects where task_id = $1`,
    [taskId],
  );
  return Object.fromEntries(rows.map((row) => [row.key, row.due]));
}

async function silence(taskId: string): Promise<void> {
  await t.db.pool.query(`update tasks set lease_until = now() - interval '1 s' where id = $1`, [taskId]);
}

test('completing captures the price, shows the receipt and lets the uploads go', async () => {
  const { task, lease, address } = await startPhoto();
  const output = await newOutput(t.db, task.accountId, task.id);
  const stray = await newOutput(t.db, task.accountId, task.id);
  const done = await finishTask(t.db, lease, { status: 'COMPLETED', result: resultWith(output) }, RETENTION);
  assert.equal(done?.status, 'COMPLETED');
  assert.equal(done.costCredits, 3);
  assert.equal(done.progress, 1);
  assert.equal(done.result?.receipt?.credits, 3);
  assert(done.startedAt && done.completedAt && done.completedAt >= done.startedAt);
  assert.deepEqual(await getTask(t.db, address), done);
  assert.deepEqual(await balance(task.accountId), [7, 0]);
  const due = await deletions(task.id);
  assert.equal(due[output.objectKey], 'later');
  assert.equal(due[stray.objectKey], 'now');
  assert.deepEqual(Object.values(due).sort(), ['later', 'now', 'now', 'now']);
});

test('failing releases everything', async () => {
  const { task, lease } = await startPhoto();
  const message = 'No face was found in the target image.';
  const done = await finishTask(
    t.db,
    lease,
    { status: 'FAILED', code: 'NO_FACE_DETECTED', message },
    { inputRetentionMs: 3_600_000 },
  );
  assert.equal(done?.status, 'FAILED');
  assert.equal(done.costCredits, 0);
  assert.deepEqual(done.error, { code: 'NO_FACE_DETECTED', message });
  assert.deepEqual(await balance(task.accountId), [10, 0]);
  assert.deepEqual(Object.values(await deletions(task.id)), ['later', 'later']);
});

test('of two finishes at once exactly one is heard', async () => {
  const { task, lease } = await startPhoto();
  const output = await newOutput(t.db, task.accountId, task.id);
  const outcomes = await Promise.all([
    finishTask(t.db, lease, { status: 'COMPLETED', result: resultWith(output) }, RETENTION),
    finishTask(t.db, lease, { status: 'COMPLETED', result: resultWith(output) }, RETENTION),
    finishTask(t.db, lease, { status: 'FAILED', code: 'INTERNAL_ERROR', message: 'x' }, RETENTION),
  ]);
  assert.equal(outcomes.filter((outcome) => outcome !== null).length, 1);
  assert.deepEqual(await checkLedger(t.db), []);
});

test('cancel against finish: one wins, and the credits follow it', async () => {
  for (let round = 0; round < 20; round++) {
    const { task, lease, address } = await startPhoto();
    const output = await newOutput(t.db, task.accountId, task.id);
    const [cancelled, finished] = await Promise.allSettled([
      cancelTask(t.db, address, RETENTION),
      finishTask(t.db, lease, { status: 'COMPLETED', result: resultWith(output) }, RETENTION),
    ]);
    assert.equal(finished.status, 'fulfilled');
    if (cancelled.status === 'fulfilled') {
      assert.equal(cancelled.value?.status, 'CANCELLED');
      assert.equal(finished.value, null);
      assert.deepEqual(await balance(task.accountId), [10, 0]);
    } else {
      assert(cancelled.reason instanceof AppError && cancelled.reason.code === 'TASK_FINISHED');
      assert.equal(finished.value?.status, 'COMPLETED');
      assert.deepEqual(await balance(task.accountId), [7, 0]);
    }
  }
  assert.deepEqual(await checkLedger(t.db), []);
});

test('cancelling releases at once, again changes nothing, and tells the worker at its next heartbeat', async () => {
  const { task, lease, address } = await startPhoto();
  const first = await cancelTask(t.db, address, RETENTION);
  assert.equal(first?.status, 'CANCELLED');
  assert.equal(first.costCredits, 0);
  assert.deepEqual(await balance(task.accountId), [10, 0]);
  assert.deepEqual(await cancelTask(t.db, address, RETENTION), first);
  assert.equal(await heartbeat(t.db, { ...lease, leaseMs: LEASE_MS }), false);
  assert.equal(await returnTask(t.db, lease, { engineDied: false, ...RETENTION }), 'lost');
  assert.deepEqual(Object.values(await deletions(task.id)), ['now', 'now']);
});

test('a waiting task can be cancelled and is then never claimed', async () => {
  const accountId = await newAccount(t.db, 10);
  const { task } = await createTask(t.db, await newPhoto(t.db, accountId));
  assert(task);
  const address = { accountId, taskId: task.id, interface: 'ai-tasks', type: 'IMAGE_SWAP' } as const;
  assert.equal(await cancelTask(t.db, { ...address, type: 'GIF_FACE_SWAP' }, RETENTION), null);
  assert.equal(await cancelTask(t.db, { ...address, accountId: await newAccount(t.db, 0) }, RETENTION), null);
  assert.equal((await cancelTask(t.db, address, RETENTION))?.status, 'CANCELLED');
  assert.equal(await claimTask(t.db, { lanes: ['short'], leaseMs: LEASE_MS }), null);
});

test('a heartbeat shows progress, which never decreases, and the outputs so far', async () => {
  const { task, lease, address } = await startPhoto();
  const result = resultWith(await newOutput(t.db, task.accountId, task.id));
  assert(await heartbeat(t.db, { ...lease, leaseMs: LEASE_MS, progress: 0.5, result }));
  assert(await heartbeat(t.db, { ...lease, leaseMs: LEASE_MS, progress: 0.25 }));
  const seen = await getTask(t.db, address);
  assert.equal(seen?.progress, 0.5);
  assert.deepEqual(seen.result, result);
  // Delivered outputs stay, and are paid for, when the task is cancelled.
  const cancelled = await cancelTask(t.db, address, RETENTION);
  assert.equal(cancelled?.costCredits, 3);
  assert.deepEqual(cancelled.result?.outputs, result.outputs);
  assert.equal((await deletions(task.id))[result.outputs[0]?.objectKey ?? ''], 'later');
});

test('a silent worker loses its task to the next, which counts against nobody', async () => {
  const { task, lease } = await startPhoto();
  assert.deepEqual(await reap(t.db, PATIENT), { returned: 0, returnedParts: 0, expired: 0, unavailable: 0 });
  await silence(task.id);
  assert.deepEqual(await reap(t.db, PATIENT), { returned: 1, returnedParts: 0, expired: 0, unavailable: 0 });
  const again = await claim(task.accountId);
  assert.equal(again.task.id, task.id);
  assert.equal(again.task.engineDeaths, 0);
  assert.notEqual(again.lease.leaseToken, lease.leaseToken);
  assert.equal(await heartbeat(t.db, { ...lease, leaseMs: LEASE_MS }), false);
  const tooLate = { status: 'FAILED', code: 'INTERNAL_ERROR', message: 'x' } as const;
  assert.equal(await finishTask(t.db, lease, tooLate, RETENTION), null);
  assert.equal((await finishTask(t.db, again.lease, tooLate, RETENTION))?.status, 'FAILED');
});

test('at start every task under way goes back at once', async () => {
  const { task } = await startPhoto();
  assert.equal((await reap(t.db, { ...PATIENT, workersAreGone: true })).returned, 1);
  const again = await claim(task.accountId);
  await cancelTask(t.db, again.address, RETENTION);
});

test('a task whose worker is alive but past the deadline fails, one whose worker was silent goes back', async () => {
  const overdue = await startPhoto();
  const silent = await startPhoto();
  await t.db.pool.query(`update tasks set started_at = now() - interval '11 min' where id = any($1)`, [
    [overdue.task.id, silent.task.id],
  ]);
  await silence(silent.task.id);
  assert.deepEqual(await reap(t.db, PATIENT), { returned: 1, returnedParts: 0, expired: 1, unavailable: 0 });
  const failed = await getTask(t.db, overdue.address);
  assert.deepEqual(failed?.error, {
    code: 'DEADLINE_EXCEEDED',
    message: 'The task took longer than 600 seconds.',
  });
  assert.deepEqual(await balance(overdue.task.accountId), [10, 0]);
  const back = await getTask(t.db, silent.address);
  assert.equal(back?.status, 'PENDING');
  assert.equal(back.startedAt, null);
  await cancelTask(t.db, silent.address, RETENTION);
});

test('three dead engines end a task, shutdowns never do', async () => {
  let running = await startPhoto();
  const { accountId } = running.task;
  for (let n = 0; n < 5; n++) {
    assert.equal(await returnTask(t.db, running.lease, { engineDied: false, ...RETENTION }), 'returned');
    running = await claim(accountId);
  }
  for (let deaths = 1; deaths <= 2; deaths++) {
    assert.equal(await returnTask(t.db, running.lease, { engineDied: true, ...RETENTION }), 'returned');
    running = await claim(accountId);
    assert.equal(running.task.engineDeaths, deaths);
  }
  assert.equal(await returnTask(t.db, running.lease, { engineDied: true, ...RETENTION }), 'failed');
  assert.equal((await getTask(t.db, running.address))?.error?.code, 'WORKER_LOST');
  assert.deepEqual(await balance(accountId), [10, 0]);
});

test('hidden tasks finish, cancel and vanish without a trace in the ledger', async () => {
  const accountId = await newAccount(t.db, 0);
  const first = await createTask(t.db, await newDetection(t.db, accountId));
  const second = await createTask(t.db, await newDetection(t.db, accountId));
  const running = await claim(accountId);
  assert.equal(running.task.id, first.task?.id);
  assert(running.task.hidden);
  const images = [{ field: 'image', width: 1, height: 1, faces: [] }];
  const result = { outputs: [], failures: [], images };
  assert((await finishTask(t.db, running.lease, { status: 'COMPLETED', result }, RETENTION))?.result?.images);
  await cancelHiddenTask(t.db, second.task?.id ?? '');
  await cancelHiddenTask(t.db, running.task.id);
  const { rows } = await t.db.pool.query('select status from tasks where account_id = $1 order by status', [
    accountId,
  ]);
  assert.deepEqual(
    rows.map((row) => row.status),
    ['CANCELLED', 'COMPLETED'],
  );
  await t.db.pool.query(`update tasks set completed_at = now() - interval '2 hours' where account_id = $1`, [
    accountId,
  ]);
  assert.equal((await pruneExpired(t.db)).hiddenTasks, 2);
});

test('a zero price needs no credits and leaves no ledger rows', async () => {
  const accountId = await newAccount(t.db, 0);
  await createTask(t.db, await newPhoto(t.db, accountId, 0));
  const { task, lease } = await claim(accountId);
  const output = await newOutput(t.db, accountId, task.id);
  const done = await finishTask(t.db, lease, { status: 'COMPLETED', result: resultWith(output) }, RETENTION);
  assert.equal(done?.costCredits, 0);
  const entries = await t.db.pool.query('select 1 from credit_entries where account_id = $1', [accountId]);
  assert.equal(entries.rowCount, 0);
});

test('the queue depth counts what waits and what runs', async () => {
  const accountId = await newAccount(t.db, 10);
  await createTask(t.db, await newPhoto(t.db, accountId));
  await createTask(t.db, await newPhoto(t.db, accountId));
  await claim(accountId);
  const [short, long] = (await readQueueDepth(t.db)).sort((a, b) => b.lane.localeCompare(a.lane));
  assert((short?.oldestSeconds ?? -1) >= 0);
  // Three credits, and no worker that has measured how long one takes.
  const expected = { lane: 'short', pending: 1, waitSeconds: 0.3, oldestSeconds: 0, processing: 1 };
  assert.deepEqual({ ...short, waitSeconds: round(short!.waitSeconds), oldestSeconds: 0 }, expected);
  assert.deepEqual(long, { lane: 'long', pending: 0, waitSeconds: 0, oldestSeconds: 0, processing: 0 });

  const pace = new LanePace();
  pace.note('short', { seconds: 6, credits: 3 });
  const presence = announceWorker(t.db, {
    slots: 1,
    pace,
    networks: heldNetworks(),
    onError: assert.ifError,
  });
  // It says so without being asked, so this waits until it has.
  for (let waitSeconds = 0; waitSeconds !== 6;) {
    const measured = (await readQueueDepth(t.db)).find(({ lane }) => lane === 'short');
    waitSeconds = round(measured!.waitSeconds);
  }
  await presence.stop();
});

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

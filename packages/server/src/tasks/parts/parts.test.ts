import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lane } from '@guise/contract/task.ts';
import { untilLockWait } from '../../db/testing/until-lock-wait.ts';
import { createTestDatabase, type TestDatabase } from '../../db/test-database.ts';
import { registerTaskObject } from '../../storage/objects.ts';
import { cancelTask } from '../cancel-task.ts';
import { createTask } from '../create-task.ts';
import { finishTask } from '../finish-task.ts';
import { pruneExpired } from '../prune.ts';
import { type ClaimedTask, claimTasks } from '../queue/claim-tasks.ts';
import { WHOLE_QUEUE } from '../queue/lane-clock.ts';
import { readPartsDepth } from '../queue/queue-depth.ts';
import { reap } from '../reap.ts';
import { returnTask } from '../return-task.ts';
import { newAccount, newBatch, newPhoto } from '../testing/task-fixtures.ts';
import {
  type ClaimedPart,
  type ClaimedParts,
  claimParts,
  type ClaimPartsOptions,
} from '../queue/claim-parts.ts';
import { createParts, type NewParts } from './create-parts.ts';
import { dropStep } from './drop-step.ts';
import { finishPart } from './finish-part.ts';
import { heartbeatPart } from './heartbeat-part.ts';
import { readFinishedParts, readPartPositions, readPartProgress } from './read-parts.ts';
import { returnPart } from './return-part.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await createTestDatabase();
});
afterEach(() => t.close());

const ENDING = { inputRetentionMs: 0 };
const LOST = 'It killed its engine.';
const leaseOf = ({ id, leaseToken }: ClaimedTask) => ({ taskId: id, leaseToken });

/** A batch in its leader's hands. */
async function leadBatch(costCredits = 3, accountId?: string): Promise<ClaimedTask> {
  const owner = accountId ?? (await newAccount(t.db, 1000));
  await createTask(t.db, { ...(await newBatch(t.db, owner)), costCredits });
  const [task] = await claimTasks(t.db.pool, {
    lanes: ['long'],
    limit: 1,
    leaseMs: 15_000,
    from: WHOLE_QUEUE,
  });
  return task!;
}

/** Offers `count` parts of a task, one after the other in its share of the queue. */
async function offer(task: ClaimedTask, count: number, changes: Partial<NewParts> = {}): Promise<boolean> {
  return createParts(t.db, leaseOf(task), {
    step: 'item',
    lane: 'long',
    engine: null,
    parts: Array.from({ length: count }, (_, position) => ({
      position,
      work: { number: position },
      shareBefore: position / count,
    })),
    ...changes,
  });
}

function claim(changes: Partial<ClaimPartsOptions> = {}): Promise<ClaimedParts> {
  return claimParts(t.db.pool, {
    lanes: ['short', 'long'],
    taskLanes: [],
    engines: ['mesh 1'],
    networks: [],
    limit: 1,
    leaseMs: 15_000,
    from: WHOLE_QUEUE,
    ...changes,
  });
}

async function take(changes: Partial<ClaimPartsOptions> = {}): Promise<ClaimedPart> {
  const { parts } = await claim({ ...changes, limit: 1 });
  assert(parts[0], 'no part waits');
  return parts[0];
}

async function setAge(table: 'tasks' | 'task_parts', lane: Lane, seconds: number): Promise<void> {
  const sql = `update ${table} set created_at = now() - $2 * interval '1 s' where lane = $1`;
  await t.db.pool.query(sql, [lane, seconds]);
}

const finished = (task: ClaimedTask, ...positions: number[]) =>
  readFinishedParts(t.db, { taskId: task.id, step: 'item' }, positions);

test('no part is claimed twice, however many claim at once', async () => {
  const task = await leadBatch();
  assert.equal(await offer(task, 30), true);
  assert.deepEqual(await readPartsDepth(t.db), [
    { lane: 'short', waiting: 0, running: 0 },
    { lane: 'long', waiting: 30, running: 0 },
  ]);
  const claims = await Promise.all(Array.from({ length: 20 }, () => claim({ limit: 4 })));
  const positions = claims.flatMap(({ parts }) => parts.map(({ position }) => position));
  assert.equal(positions.length, 30);
  assert.equal(new Set(positions).size, 30);
  assert.deepEqual((await claim()).waitingIn, []);
  assert.deepEqual((await readPartsDepth(t.db))[1], { lane: 'long', waiting: 0, running: 30 });
});

test('a part is finished once, by whoever holds it; saying it again changes nothing', async () => {
  const task = await leadBatch();
  await offer(task, 2);
  const [first, second] = [await take(), await take()];
  assert.deepEqual([first.work, first.accountId], [{ number: 0 }, task.accountId]);
  const done = { status: 'DONE', result: { seen: true } } as const;
  assert.equal(await finishPart(t.db, { ...first, leaseToken: second.leaseToken }, done), false);
  assert.equal(await finishPart(t.db, first, done), true);
  assert.equal(await finishPart(t.db, first, done), true);
  const failed = { status: 'FAILED', code: 'DECODE_FAILED', message: 'It is damaged.' } as const;
  assert.equal(await finishPart(t.db, first, failed), false);
  assert.equal(await finishPart(t.db, second, failed), true);
  assert.equal(await heartbeatPart(t.db, second, { leaseMs: 1000 }), false);
  assert.deepEqual(await finished(task, 0, 1, 2), [
    { position: 0, ...done },
    { position: 1, ...failed },
  ]);
  assert.deepEqual(await finished(task, 1), [{ position: 1, ...failed }]);
});

test('a part of a silent worker waits again, which counts against nobody', async () => {
  const task = await leadBatch();
  await offer(task, 1);
  const patience = { deadlineMs: 600_000, ...ENDING };
  const lost = await take({ leaseMs: 1 });
  await delay(5);
  assert.equal((await reap(t.db, patience)).returnedParts, 1);
  assert.equal(await heartbeatPart(t.db, lost, { leaseMs: 1000 }), false);
  assert.equal(await finishPart(t.db, lost, { status: 'DONE', result: {} }), false);
  const again = await take();
  assert.equal((await reap(t.db, patience)).returnedParts, 0);
  assert.equal(await heartbeatPart(t.db, again, { leaseMs: 15_000, progress: { done: 3 } }), true);
  assert.deepEqual(await readPartProgress(t.db, { taskId: task.id, step: 'item' }), [
    { position: 0, progress: { done: 3 } },
  ]);
  // Where no worker is alive, no lease counts.
  assert.equal((await reap(t.db, { ...patience, workersAreGone: true })).returnedParts, 1);
  const { progress, isSuspect } = await take();
  assert.deepEqual([progress, isSuspect], [{ done: 3 }, false]);
});

test('a part fails after three engines that died of it alone; other ends do not count', async () => {
  const task = await leadBatch();
  await offer(task, 1);
  const giveBack = async (engineDied: 'alone' | 'beside' | null) =>
    returnPart(t.db, await take(), { engineDied, lostMessage: LOST });
  assert.equal(await giveBack(null), 'returned');
  assert.equal(await giveBack('alone'), 'returned');
  assert.equal(await giveBack('beside'), 'returned');
  const suspect = await take();
  assert.equal(suspect.isSuspect, true);
  assert.equal(await returnPart(t.db, suspect, { engineDied: 'alone', lostMessage: LOST }), 'returned');
  assert.equal(await returnPart(t.db, suspect, { engineDied: 'alone', lostMessage: LOST }), 'lost');
  assert.equal(await giveBack('alone'), 'failed');
  assert.deepEqual(await finished(task, 0), [
    { position: 0, status: 'FAILED', code: 'WORKER_LOST', message: LOST },
  ]);
});

test('parts are for the engine they name, or for any', async () => {
  const task = await leadBatch();
  await offer(task, 2, { engine: 'mesh 2' });
  const nothing = { parts: [], waitingIn: [] };
  assert.deepEqual(await claim(), nothing);
  assert.equal((await take({ engines: ['mesh 2'] })).position, 0);
  // A leader with another engine offers what still waits to its own.
  await offer(task, 2, { engine: 'mesh 1' });
  assert.deepEqual(await claim({ engines: ['mesh 2'] }), nothing);
  assert.equal((await take()).position, 1);
});

test('a part of a kind that only a newer version knows is left to its workers', async () => {
  const task = await leadBatch();
  await offer(task, 2);
  await t.db.pool.query(`update task_parts set step = 'sing' where position = 0`);
  assert.equal((await take()).position, 1);
  assert.deepEqual(await claim(), { parts: [], waitingIn: [] });
});

test('a new leader finds the parts that are there; only a leader creates and drops them', async () => {
  const task = await leadBatch();
  await offer(task, 2);
  await finishPart(t.db, await take(), { status: 'DONE', result: { by: 'the first' } });
  assert.equal(await returnTask(t.db, leaseOf(task), { engineDied: false, ...ENDING }), 'returned');
  assert.equal(await offer(task, 3), false);
  assert.equal(await dropStep(t.db, leaseOf(task), 'item'), false);
  // Its parts go on without it.
  assert.equal((await take()).position, 1);
  const [next] = await claimTasks(t.db.pool, { lanes: ['long'], limit: 1, leaseMs: 9000, from: WHOLE_QUEUE });
  assert.equal(await offer(next!, 3), true);
  const step = { taskId: task.id, step: 'item' } as const;
  assert.deepEqual(await readPartPositions(t.db, step), [0, 1, 2]);
  assert.equal((await take()).position, 2);
  assert.deepEqual(
    (await finished(task, 0, 1, 2)).map(({ position }) => position),
    [0],
  );
  assert.equal(await dropStep(t.db, leaseOf(next!), 'item'), true);
  assert.deepEqual(await readPartPositions(t.db, step), []);
});

test('parts go with the end of their task, and nothing is registered for it any more', async () => {
  const ends = [
    (task: ClaimedTask) =>
      finishTask(t.db, leaseOf(task), { status: 'COMPLETED', result: { outputs: [], failures: [] } }, ENDING),
    (task: ClaimedTask) =>
      cancelTask(
        t.db,
        { accountId: task.accountId, taskId: task.id, interface: 'v1', type: 'BATCH_FACE_SWAP' },
        ENDING,
      ),
    () => reap(t.db, { deadlineMs: 0, ...ENDING }),
  ];
  const deleteAfter = new Date(Date.now() + 86_400_000);
  for (const [n, end] of ends.entries()) {
    const task = await leadBatch();
    await offer(task, 2);
    const part = await take();
    const object = { taskId: task.id, sizeBytes: 1, deleteAfter };
    const before = { ...object, key: `in/00/before${n}.bin`, kind: 'temporary' } as const;
    assert.equal(await registerTaskObject(t.db.pool, before), true);
    assert.equal(await registerTaskObject(t.db.pool, before), true);
    assert(await end(task));
    assert.equal(await finishPart(t.db, part, { status: 'DONE', result: {} }), false);
    assert.deepEqual(await readPartPositions(t.db, { taskId: task.id, step: 'item' }), []);
    const after = { ...object, key: `out/00/after${n}.jpg`, kind: 'output' } as const;
    assert.equal(await registerTaskObject(t.db.pool, after), false);
    const { rows } = await t.db.pool.query(
      `select key, delete_after <= now() as due from objects where task_id = $1 and kind <> 'input'`,
      [task.id],
    );
    assert.deepEqual(rows, [{ key: before.key, due: true }]);
  }
});

test('a file that is registered while its task ends is either known to the end or refused', async () => {
  const task = await leadBatch();
  const ending = await t.db.pool.connect();
  await ending.query('begin');
  await ending.query('select 1 from tasks where id = $1 for update', [task.id]);
  const registering = registerTaskObject(t.db.pool, {
    key: 'out/00/late.jpg',
    kind: 'output',
    taskId: task.id,
    sizeBytes: 1,
    deleteAfter: new Date(Date.now() + 86_400_000),
  });
  await untilLockWait(t.db.pool);
  await ending.query(
    `update tasks set status = 'CANCELLED', completed_at = now(), lease_token = null, lease_until = null
     where id = $1`,
    [task.id],
  );
  await ending.query('commit');
  ending.release();
  assert.equal(await registering, false);
});

test('what a worker without parts left behind is never claimed, and pruned', async () => {
  const task = await leadBatch();
  await offer(task, 2);
  await t.db.pool.query(
    `update tasks set status = 'COMPLETED', completed_at = now(), lease_token = null, lease_until = null
     where id = $1`,
    [task.id],
  );
  assert.deepEqual((await claim({ limit: 9 })).parts, []);
  assert.equal((await pruneExpired(t.db)).parts, 2);
  assert.deepEqual((await claim()).waitingIn, []);
});

test('tasks and parts of a lane are taken in the order of their tags', async () => {
  const batch = await leadBatch(30);
  await offer(batch, 10);
  const other = await newAccount(t.db, 100);
  // Begin at the lane's virtual time, as the batch did, and 10 and 20 credits later.
  for (let n = 0; n < 3; n++) {
    await createTask(t.db, { ...(await newPhoto(t.db, other)), lane: 'long', costCredits: 10 });
  }
  const order: string[] = [];
  while (order.length < 13) {
    const { parts, waitingIn } = await claim({ taskLanes: ['long'], limit: 2 });
    if (parts.length > 0) order.push(...parts.map(({ position }) => `part ${position}`));
    else {
      assert.deepEqual(waitingIn, order.length < 12 ? ['long'] : []);
      const [task] = await claimTasks(t.db.pool, {
        lanes: ['long'],
        limit: 1,
        leaseMs: 15_000,
        from: WHOLE_QUEUE,
      });
      order.push(`task at ${task!.startTag}`);
    }
  }
  assert.deepEqual(order.slice(0, 6), ['part 0', 'task at 0', 'part 1', 'part 2', 'part 3', 'task at 10']);
  assert.deepEqual(order.slice(6, 10), ['part 4', 'part 5', 'part 6', 'task at 20']);
});

test('photos do not wait behind the parts of a batch, nor parts behind photos for ever', async () => {
  const batch = await leadBatch(30);
  await offer(batch, 10);
  await createTask(t.db, await newPhoto(t.db, await newAccount(t.db, 100)));
  const isPartNext = async () => (await claim({ taskLanes: ['short', 'long'] })).parts.length > 0;
  await setAge('tasks', 'short', 3);
  await setAge('task_parts', 'long', 20);
  assert.equal(await isPartNext(), false);
  await setAge('task_parts', 'long', 4000);
  assert.equal(await isPartNext(), true);
  // To a worker that leads enough tasks, those of the lane do not matter.
  await createTask(t.db, await newBatch(t.db, await newAccount(t.db, 100)));
  assert.equal((await claim({ taskLanes: [], limit: 99 })).parts.length, 9);
});

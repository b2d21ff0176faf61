import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { checkLedger } from '../../credits/check-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../../db/test-database.ts';
import { heldNetworks } from '../../networks/testing/test-networks.ts';
import { createTask } from '../create-task.ts';
import { getTask } from '../get-task.ts';
import { createParts } from '../parts/create-parts.ts';
import { reap } from '../reap.ts';
import type { NeededNetworks } from '../../networks/network-key.ts';
import type { Task } from '../task.ts';
import { newAccount, newBatch, newPhoto } from '../testing/task-fixtures.ts';
import { claimParts } from './claim-parts.ts';
import { type ClaimedTask, claimTasks } from './claim-tasks.ts';
import { WHOLE_QUEUE } from './lane-clock.ts';
import { LanePace } from './lane-pace.ts';
import { announceWorker, listWorkers } from './worker-presence.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await createTestDatabase();
});
afterEach(async () => {
  assert.deepEqual(await checkLedger(t.db), []);
  await t.close();
});

const SWAPPER = 'mine@0123456789ab';
const RESTORER = 'sharp@ba9876543210';
const CLAIM = { lanes: ['short', 'long'], limit: 10, leaseMs: 15_000, from: WHOLE_QUEUE } as const;

async function create(networks?: NeededNetworks): Promise<Task> {
  const photo = await newPhoto(t.db, await newAccount(t.db, 10));
  const { task } = await createTask(t.db, { ...photo, work: { ...photo.work, networks } as never });
  return task!;
}

async function claimed(...networks: string[]): Promise<string[]> {
  return (await claimTasks(t.db.pool, { ...CLAIM, networks })).map(({ id }) => id).toSorted();
}

/** Adds a worker that was last seen some seconds ago. */
async function addWorker(networks: string[] | null, seenSeconds = 0, startedSeconds = 3600): Promise<void> {
  await t.db.pool.query(
    `insert into workers (id, host, slots, memory_bytes, load, started_at, seen_at, recent_networks)
     values (gen_random_uuid(), 'host', 1, 1, 1, now() - $1 * interval '1 s', now() - $2 * interval '1 s', $3)`,
    [startedSeconds, seenSeconds, networks],
  );
}

test('a task that needs networks waits for a worker that holds all of them', async () => {
  const both = await create({ swapper: SWAPPER, restorer: RESTORER });
  const one = await create({ swapper: SWAPPER });
  const none = await create();
  assert.deepEqual(await claimed(), [none.id]);
  assert.deepEqual(await claimed(RESTORER, 'mine@ffffffffffff'), []);
  assert.deepEqual(await claimed(SWAPPER), [one.id]);
  assert.deepEqual(await claimed(RESTORER, SWAPPER), [both.id]);
});

test('a task that this worker cannot do holds up neither the tasks nor the parts behind it', async () => {
  const owner = await newAccount(t.db, 100);
  await createTask(t.db, { ...(await newBatch(t.db, owner)), costCredits: 3 });
  const [leader] = (await claimTasks(t.db.pool, CLAIM)) as [ClaimedTask];
  const lease = { taskId: leader.id, leaseToken: leader.leaseToken };
  // A task for a network comes before the part in the same lane, and has waited longer.
  const batch = await newBatch(t.db, owner);
  await createTask(t.db, { ...batch, work: { ...batch.work, networks: { swapper: SWAPPER } } as never });
  await t.db.pool.query(
    `update tasks set start_tag = 0, created_at = now() - interval '1 day' where status = 'PENDING'`,
  );
  const parts = [{ position: 0, work: {}, shareBefore: 0 }];
  await createParts(t.db, lease, { step: 'item', lane: 'long', engine: 'mesh 2', parts });
  const wanted = { ...CLAIM, taskLanes: CLAIM.lanes, networks: [] };
  const claim = async (engines: string[]) =>
    (await claimParts(t.db.pool, { ...wanted, engines })).parts.length;
  assert.equal(await claim(['mesh 1']), 0);
  assert.equal(await claim(['mesh 1', 'mesh 2']), 1);
});

test('the parts of a task are for workers that hold its networks', async () => {
  const batch = await newBatch(t.db, await newAccount(t.db, 100));
  await createTask(t.db, { ...batch, work: { ...batch.work, networks: { swapper: SWAPPER } } as never });
  const [leader] = (await claimTasks(t.db.pool, { ...CLAIM, networks: [SWAPPER] })) as [ClaimedTask];
  const parts = [{ position: 0, work: {}, shareBefore: 0 }];
  const lease = { taskId: leader.id, leaseToken: leader.leaseToken };
  await createParts(t.db, lease, { step: 'item', lane: 'long', engine: 'mesh 1', parts });
  const wanted = { ...CLAIM, taskLanes: CLAIM.lanes, engines: ['mesh 1'] };
  const found = await claimParts(t.db.pool, { ...wanted, networks: ['mine@ffffffffffff'] });
  assert.deepEqual(found, { parts: [], waitingIn: [] });
  assert.equal((await claimParts(t.db.pool, { ...wanted, networks: [SWAPPER] })).parts.length, 1);
});

test('a task fails when no worker has held its networks for five minutes, and costs nothing', async () => {
  const options = { inputRetentionMs: 0, deadlineMs: 60_000 };
  const [stuck, other] = [await create({ swapper: SWAPPER }), await create()];
  const statusOf = async ({ id, accountId }: Task) => {
    const address = { taskId: id, accountId, interface: 'ai-tasks', type: 'IMAGE_SWAP' } as const;
    const { status, error, costCredits } = (await getTask(t.db, address))!;
    return { status, code: error?.code, costCredits };
  };
  const waits = async (why: string): Promise<void> => {
    assert.equal((await reap(t.db, options)).unavailable, 0, why);
  };
  await addWorker([]);
  await waits('it was created just now');
  await t.db.pool.query(`update tasks set created_at = now() - interval '6 minutes'`);
  await t.db.pool.query('delete from workers');
  await waits('no worker is there that could know');
  await addWorker([], 0, 60);
  await waits('the worker that is there started a minute ago');
  await addWorker([]);
  await addWorker([SWAPPER], 240);
  await waits('a worker held it four minutes ago');
  await t.db.pool.query(
    `update workers set seen_at = now() - interval '1 hour' where recent_networks <> '{}'`,
  );
  assert.equal((await reap(t.db, options)).unavailable, 1);
  assert.deepEqual(await statusOf(stuck), { status: 'FAILED', code: 'ENGINE_UNAVAILABLE', costCredits: 0 });
  assert.deepEqual(await statusOf(other), { status: 'PENDING', code: undefined, costCredits: 3 });
});

test('a led task fails when nobody can do its parts, and its leader hears of it', async () => {
  const owner = await newAccount(t.db, 100);
  const batch = await newBatch(t.db, owner);
  await createTask(t.db, { ...batch, work: { ...batch.work, networks: { swapper: SWAPPER } } as never });
  const [leader] = (await claimTasks(t.db.pool, { ...CLAIM, networks: [SWAPPER] })) as [ClaimedTask];
  const lease = { taskId: leader.id, leaseToken: leader.leaseToken };
  const parts = [{ position: 0, work: {}, shareBefore: 0 }];
  await createParts(t.db, lease, { step: 'item', lane: 'long', engine: 'mesh 1', parts });
  await addWorker([]);
  await t.db.pool.query(`update tasks set created_at = now() - interval '6 minutes'`);
  const options = { inputRetentionMs: 0, deadlineMs: 3_600_000 };
  await t.db.pool.query(
    `update task_parts set status = 'RUNNING', lease_token = gen_random_uuid(), lease_until = now() + interval '1 minute'`,
  );
  assert.equal((await reap(t.db, options)).unavailable, 0, 'a part is running');
  await t.db.pool.query(`update task_parts set status = 'WAITING', lease_token = null, lease_until = null`);
  assert.equal((await reap(t.db, options)).unavailable, 1);
  const { rows } = await t.db.pool.query(`select status, error_code, cost_credits from tasks`);
  assert.deepEqual(rows, [{ status: 'FAILED', error_code: 'ENGINE_UNAVAILABLE', cost_credits: 0 }]);
  assert.equal((await t.db.pool.query('select from task_parts')).rowCount, 0);
});

test('a worker says what it holds, and what it held is known for a while after it stopped', async () => {
  const presence = announceWorker(t.db, {
    slots: 1,
    pace: new LanePace(),
    networks: heldNetworks(),
    onError: assert.ifError,
  });
  const { rows } = await t.db.pool.query('select networks from workers');
  while (rows.length === 0) rows.push(...(await t.db.pool.query('select networks from workers')).rows);
  assert.deepEqual(
    (await listWorkers(t.db, { limit: 10 })).map(({ networks }) => networks),
    [[]],
  );
  await presence.stop();
  assert.deepEqual(await listWorkers(t.db, { limit: 10 }), []);
  assert.equal((await t.db.pool.query('select from workers')).rowCount, 1);
});

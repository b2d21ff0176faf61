import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { MESH_ENGINE } from '@guise/contract/engines.ts';
import type { Plan } from '@guise/contract/plans.ts';
import { loadConfig } from '../config/config.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import type { WorkSpec } from '../tasks/task.ts';
import { newAccount, newDetection, newPhoto } from '../tasks/testing/task-fixtures.ts';
import { Engines } from './engines.ts';
import type { HeldNetwork } from '../networks/held-networks.ts';

let t: TestDatabase;
let warnings: unknown[];
beforeEach(async () => {
  t = await createTestDatabase();
  warnings = [];
});
afterEach(() => t.close());

const MINE: HeldNetwork = {
  key: 'mine@1',
  id: 'mine',
  kind: 'swapper',
  resolution: 256,
  providers: ['cuda', 'cpu'],
};
const masker = (id: string): HeldNetwork => ({ ...MINE, key: `${id}@1`, id, kind: 'masker' });
const SHARP: HeldNetwork = { ...MINE, key: 'sharp@1', id: 'sharp', kind: 'restorer', resolution: 512 };

function engines(env: NodeJS.ProcessEnv = {}): Engines {
  return new Engines({
    db: t.db,
    config: loadConfig(env),
    log: { warn: (fact: unknown) => warnings.push(fact) },
  });
}

async function addWorker(networks: readonly HeldNetwork[] | null, seenSeconds = 0): Promise<void> {
  await t.db.pool.query(
    `insert into workers (id, host, slots, memory_bytes, load, started_at, seen_at, networks)
     values (gen_random_uuid(), 'host', 1, 1, 1, now(), now() - $1 * interval '1 s', $2)`,
    [seenSeconds, networks && JSON.stringify(networks)],
  );
}

/** Returns the networks and the price that a photo for 3 credits gets. */
async function chosen(of: Engines, engine?: string, plan: Plan = 'pro', faceRestoreVisibility = 1) {
  const order = await newPhoto(t.db, await newAccount(t.db, 10));
  const work = { ...order.work, restore: { faceRestoreVisibility, restoreVisibility: 1 } } as WorkSpec;
  const { work: drawn, costCredits } = await of.choose({ work, costCredits: 3 }, engine, plan);
  return { networks: 'networks' in drawn ? drawn.networks : undefined, costCredits };
}

const MESH = { networks: undefined, costCredits: 3 };

const list = async () => (await engines().list('pro')).engines;
const load = (env: NodeJS.ProcessEnv) => () => loadConfig(env);

test('the list has the mesh and what workers hold now, once a name', async () => {
  assert.deepEqual(await list(), [MESH_ENGINE]);
  await addWorker([MINE, SHARP]);
  await addWorker([MINE]);
  await addWorker([{ ...MINE, key: 'mine@2', resolution: 512 }]);
  await addWorker([{ ...MINE, key: 'gone@1', id: 'gone' }], 31);
  assert.deepEqual(await list(), [
    MESH_ENGINE,
    { id: 'mine', kind: 'network', resolution: 256, providers: ['cuda', 'cpu'], priceFactor: 1 },
  ]);
  // A worker of the version before would draw with the mesh.
  await addWorker(null);
  assert.deepEqual(await list(), [MESH_ENGINE]);
});

test('a request may name what the list has; the files that most workers hold are meant', async () => {
  const of = engines();
  await addWorker([{ ...MINE, key: 'mine@2' }]);
  await addWorker([MINE]);
  await addWorker([MINE]);
  assert.deepEqual(await chosen(of), MESH);
  assert.deepEqual(await chosen(of, 'mesh'), MESH);
  assert.deepEqual(await chosen(of, 'mine'), { networks: { swapper: 'mine@1' }, costCredits: 3 });
  await assert.rejects(chosen(of, 'other'), {
    code: 'ENGINE_UNAVAILABLE',
    field: 'engine',
    message: 'engine must be mesh or mine: no worker has other.',
  });
  // A restorer draws no face.
  await addWorker([SHARP]);
  await assert.rejects(chosen(of, 'sharp'), { code: 'ENGINE_UNAVAILABLE' });
});

test('the operator sets prices, and the plans that may choose', async () => {
  const of = engines({ GUISE_ENGINE_PRICES: 'mine=5, other=2', GUISE_ENGINE_PLANS: 'mine=pro' });
  await addWorker([MINE]);
  assert.equal((await chosen(of, 'mine', 'enterprise')).costCredits, 15);
  assert.equal((await of.list('pro')).engines[1]?.priceFactor, 5);
  assert.deepEqual((await of.list('free')).engines, [MESH_ENGINE]);
  await assert.rejects(chosen(of, 'mine', 'free'), {
    code: 'INVALID_REQUEST',
    field: 'engine',
    message: 'engine must be mesh: your plan does not have mine.',
  });
});

test('the default of the operator draws while a worker holds it, and its absence is no secret', async () => {
  const of = engines({ GUISE_SWAPPER: 'mine', GUISE_ENGINE_PLANS: 'mine=pro' });
  assert.deepEqual(await chosen(of), MESH);
  assert.deepEqual(warnings, [{ network: 'mine' }]);
  assert.equal((await of.list('pro')).default, 'mesh');
  await addWorker([MINE]);
  assert.deepEqual((await chosen(of)).networks, { swapper: 'mine@1' });
  assert.deepEqual(await chosen(of, 'mesh'), MESH);
  assert.deepEqual(await chosen(of, undefined, 'free'), MESH);
  assert.equal((await of.list('pro')).default, 'mine');
  assert.equal((await of.list('free')).default, 'mesh');
});

test('a restorer improves photos where one worker holds it beside the swapper', async () => {
  const of = engines({ GUISE_RESTORER: 'sharp' });
  await addWorker([MINE]);
  assert.deepEqual(await chosen(of), MESH);
  assert.deepEqual(warnings, [{ network: 'sharp' }]);
  await addWorker([SHARP]);
  assert.deepEqual((await chosen(of)).networks, { restorer: 'sharp@1' });
  assert.deepEqual((await chosen(of, 'mine')).networks, { swapper: 'mine@1' });
  await addWorker([MINE, SHARP]);
  assert.deepEqual((await chosen(of, 'mine')).networks, { swapper: 'mine@1', restorer: 'sharp@1' });
  assert.deepEqual((await chosen(of, 'mine', 'pro', 0)).networks, { swapper: 'mine@1' });
  const detection = await newDetection(t.db, await newAccount(t.db, 10));
  const { work } = await of.choose(detection, undefined, 'pro');
  assert.equal(JSON.stringify(work), JSON.stringify(detection.work));
});

test('maskers help every swap, as far as one worker holds them', async () => {
  const of = engines({ GUISE_MASKERS: 'xseg,parser' });
  const [xseg, parser] = [masker('xseg'), masker('parser')];
  await addWorker([MINE, xseg]);
  assert.deepEqual((await chosen(of, 'mine')).networks, { swapper: 'mine@1', maskers: ['xseg@1'] });
  assert.deepEqual(warnings, [{ network: 'parser' }]);
  assert.deepEqual(
    (await of.list('pro')).engines.map(({ id }) => id),
    ['mesh', 'mine'],
  );
  await addWorker([xseg, parser]);
  assert.deepEqual((await chosen(of)).networks, { maskers: ['xseg@1', 'parser@1'] });
});

test('rules for engines that are no rules end the start with a sentence', () => {
  for (const prices of ['mine', 'mine=', 'mine=0', 'mine=1.5', '=2', 'Mine=2', 'mine=2,'])
    assert.throws(
      load({ GUISE_ENGINE_PRICES: prices }),
      /^ConfigError: GUISE_ENGINE_PRICES must be a list/,
      prices,
    );
  assert.throws(load({ GUISE_ENGINE_PLANS: 'mine=gold' }), /each value must be one of free, pro, enterprise/);
  assert.throws(load({ GUISE_SWAPPER: 'A B' }), /GUISE_SWAPPER must be the name of an engine/);
});

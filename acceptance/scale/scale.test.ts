/**
 * Two API and four worker processes on one PostgreSQL and one bucket, under photos, batches and
 * films, while one of each is killed again and again, and PostgreSQL twice: nothing that was
 * accepted is lost or charged twice, and films are what one worker alone makes of them.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { checkLedger } from '@guise/server/credits/check-ledger.ts';
import { Scratch } from '@guise/server/storage/scratch.ts';
import { S3Storage } from '@guise/server/storage/s3-storage.ts';
import { startSweeper } from '@guise/server/storage/sweeper.ts';
import { skipWithoutS3 } from '@guise/server/storage/testing/s3-service.ts';
import { photo } from '../ai-tasks/client.ts';
import { until } from '../reliability/processes.ts';
import { makeDataDir, removeDataDir, type TestAccount } from '../service.ts';
import { makeFaceClip } from '../v1/face-clip.ts';
import { Installation } from './installation.ts';
import { type AcceptedTask, Load, type Request } from './load.ts';
import { readAllPackets } from './packets.ts';

const APIS = 2;
const WORKERS = 4;
/** Rounds in which an API and a worker are killed, the next ones each time: each worker once. */
const MOST_ROUNDS = WORKERS;
/** Rounds in which PostgreSQL is killed as well; they come whatever time they take. */
const POSTGRES_ROUNDS = 2;
/** Time after which no other round is begun, on a machine that is busy. */
const ROUNDS_LIMIT_MS = 60_000;
const GRANTED = 100_000;
/** Long enough for three segments. */
const FILM_SECONDS = 76;
const FILM_FRAMES_PER_SECOND = 1;

const av = await loadNodeAv();
const { face, body } = await readSampleFaces();

const PHOTO: Request = { path: '/api/ai-tasks', fields: photo(face, body) };
const BATCH: Request = {
  path: '/api/ai-tasks/batch-face-swap',
  fields: [
    ['mode', 'singleToMulti'],
    ['sourceImages', { bytes: face }],
    ...[body, face, body].map((bytes) => ['targetImages', { bytes }] as const),
  ],
};

describe('machines that die', { skip: skipWithoutS3 }, () => {
  let installation: Installation;
  let load: Load;
  let film: Request | null = null;
  before(async () => {
    installation = await Installation.start();
    load = new Load(installation.apis);
    if (av === null) return;
    const bytes = await makeFaceClip(av, face, FILM_SECONDS, FILM_FRAMES_PER_SECOND);
    film = {
      path: '/api/ai-tasks/video',
      fields: [
        ['sourceImage', { bytes: body }],
        ['targetVideo', { bytes, name: 'film.mp4', type: 'video/mp4' }],
      ],
    };
  });
  after(async () => {
    load.giveUp();
    await installation.stop();
  });

  test('nothing is lost, charged twice, drawn otherwise or left behind', async (context) => {
    const newAccount = (name: string): Promise<TestAccount> =>
      installation.createAccount(`${name}@example.com`, GRANTED);
    const [alone, ann, ben, cleo] = await Promise.all(['alone', 'ann', 'ben', 'cleo'].map(newAccount));
    await Promise.all([installation.add('server', 1), installation.add('worker', 1)]);
    const expected = film && (await packetsOf(installation, await load.run(alone!, film)));
    await Promise.all([installation.add('server', APIS - 1), installation.add('worker', WORKERS - 1)]);
    let isOver = false;
    const goesOn = (): boolean => !isOver;
    const users: Promise<void>[] = [];
    for (const account of [ann!, ben!])
      for (const request of [PHOTO, BATCH]) users.push(load.use(account, request, goesOn));
    if (film !== null) users.push(load.use(cleo!, film, goesOn));
    const killed = killAgainAndAgain(installation, load).finally(() => (isOver = true));
    await Promise.all([killed, ...users]);

    const all = load.accepted;
    context.diagnostic(`${all.length} tasks, ${load.repeated} requests repeated`);
    for (const machine of [...installation.apis, ...installation.workers])
      assert.deepEqual(machine.unexpectedEnds, []);
    for (const { task } of all) assert.equal(task.status, 'COMPLETED', JSON.stringify(task));
    for (const { task } of all) assert.deepEqual(task.result.failures ?? [], [], JSON.stringify(task));
    for (const each of [PHOTO, BATCH].map((request) => all.find((task) => task.request === request)!))
      assert.equal(await load.post(each.account, each.request, each.idempotencyKey), each.taskId);
    await chargedOnce(installation, all);
    await outputsAreWhole(installation, all);
    const films = all.filter(({ request }) => request === film).slice(1);
    assert.equal(films.length > 0, film !== null);
    for (const each of films) assert.deepEqual(await packetsOf(installation, each), expected);
    await onlyOutputsAreLeft(installation);
  });
});

/**
 * Kills an API and a worker in each round, and goes on when both are back and some task has ended
 * since.
 */
async function killAgainAndAgain(installation: Installation, load: Load): Promise<void> {
  const { apis, workers } = installation;
  const endMs = performance.now() + ROUNDS_LIMIT_MS;
  const goesOn = (round: number): boolean =>
    round < POSTGRES_ROUNDS || (round < MOST_ROUNDS && performance.now() < endMs);
  for (let round = 0; goesOn(round); round++) {
    const victims = [apis[round % apis.length]!, workers[round % workers.length]!];
    const before = load.ended;
    await Promise.all(victims.map((machine) => machine.kill()));
    if (round < POSTGRES_ROUNDS) await installation.killPostgres();
    await Promise.all(victims.map((machine) => machine.ready()));
    await until('a task ends', () => load.ended > before || load.isGivenUp);
  }
}

/** Checks that every output can be fetched, whole. */
async function outputsAreWhole(installation: Installation, all: readonly AcceptedTask[]): Promise<void> {
  for (const { task } of all) {
    assert.ok(task.result.outputs.length > 0);
    for (const { url, sha256 } of task.result.outputs) {
      const bytes = await download(installation, url);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
    }
  }
}

/** Fetches an output from the API that runs now: its port was another one before a restart. */
async function download({ apis }: Installation, url: string): Promise<Buffer> {
  const { pathname, search } = new URL(url);
  const answer = await fetch(`${apis[0]!.url}${pathname}${search}`);
  assert.equal(answer.status, 200, url);
  return Buffer.from(await answer.arrayBuffer());
}

/** Checks that there is no task but the accepted ones, and that each was charged once. */
async function chargedOnce({ db }: Installation, all: readonly AcceptedTask[]): Promise<void> {
  assert.deepEqual(await checkLedger(db), []);
  const { rows: tasks } = await db.pool.query('select id from tasks order by id');
  assert.deepEqual(
    tasks.map(({ id }) => id),
    all.map(({ taskId }) => taskId).sort(),
  );
  const { rows: captures } = await db.pool.query(
    `select task_id as id, -sum(held_change) as credits, count(*)::int as times
     from credit_entries where kind = 'capture' group by task_id`,
  );
  const costOf = new Map(all.map(({ taskId, task }) => [taskId, task.costCredits]));
  assert.equal(captures.length, all.length);
  for (const { id, credits, times } of captures) {
    assert.deepEqual([Number(credits), times], [costOf.get(id), 1]);
  }
  const { rows: accounts } = await db.pool.query(
    'select id, credits_available as available, credits_held as held from accounts',
  );
  for (const { id, available, held } of accounts) {
    const own = all.filter(({ account }) => account.accountId === id);
    const charged = own.reduce((sum, { task }) => sum + task.costCredits, 0);
    assert.deepEqual({ available, held }, { available: GRANTED - charged, held: 0 });
  }
}

/**
 * Checks that the bucket holds the outputs with their thumbnails and, of uploads, only what no task
 * had yet.
 */
async function onlyOutputsAreLeft({ db, bucket }: Installation): Promise<void> {
  const dir = await makeDataDir();
  const storage = await S3Storage.open(bucket.config, await Scratch.open(dir));
  const sweeper = startSweeper({ pool: db.pool, storage, prune: async () => {}, onError: assert.ifError });
  const { rows: delivered } = await db.pool.query(
    `select array_remove(array[output ->> 'objectKey', output ->> 'thumbnailKey'], null) as keys
     from tasks, jsonb_array_elements(result -> 'outputs') as output`,
  );
  const outputs = new Set<string>(delivered.flatMap(({ keys }) => keys));
  let seen: unknown;
  try {
    await until('only outputs are left', async () => {
      await sweeper.sweepNow();
      const { rows } = await db.pool.query('select key, kind, task_id from objects');
      const kept = new Set(rows.map(({ key }) => key));
      const stored = [...(await bucket.objects()).keys()];
      const isWaiting = ({ kind, task_id }: (typeof rows)[0]): boolean =>
        kind === 'input' && task_id === null;
      const others = rows.filter((row) => !outputs.has(row.key) && !isWaiting(row));
      const strangers = stored.filter((key) => !kept.has(key));
      const missing = [...outputs].filter((key) => !kept.has(key) || !stored.includes(key));
      seen = { others, strangers, missing };
      return others.length + strangers.length + missing.length === 0;
    }).catch((error: unknown) => assert.ifError(new Error(JSON.stringify(seen), { cause: error })));
    const { rows } = await db.pool.query('select from task_parts');
    assert.equal(rows.length, 0);
  } finally {
    await sweeper.stop();
    await removeDataDir(dir);
  }
}

async function packetsOf(installation: Installation, { task }: AcceptedTask): Promise<string[]> {
  return readAllPackets(av!, await download(installation, task.result.outputs[0].url));
}

/** Films that several workers share, as on several machines, also when one is killed. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { SCRIPTED_SEGMENTS } from '@guise/engine-host/testing/scripted-film.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { checkLedger } from '../../credits/check-ledger.ts';
import { startSweeper } from '../../storage/sweeper.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import type { Task } from '../../tasks/task.ts';
import { scriptedEngine } from '../testing/scripted-worker.ts';
import {
  COST,
  credits,
  databaseUrl,
  db,
  dir,
  ended,
  newAccount,
  read,
  sample,
  startWorker,
  storage,
  storeInput,
  submitOrder,
  until,
} from '../testing/worker-rig.ts';

const skip = (await loadNodeAv()) === null ? 'films need node-av' : false;
const MEDIA_DIR = path.join(dir, 'media');
const WORKER = path.join(import.meta.dirname, '../testing/worker-process.ts');
/** Jobs of a film that is made without a mishap. */
const JOBS = [
  'choose-faces 0',
  'cut-film 0',
  ...Array.from({ length: SCRIPTED_SEGMENTS }, (_, k) => `draw-segment ${k}`),
  'join-film 0',
  ...Array.from({ length: SCRIPTED_SEGMENTS }, (_, k) => `study-segment ${k}`),
];

let children: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(children.map(killed));
  children = [];
});

/** Starts a worker with one slot for long work, in a process of its own. */
async function spawnWorker(version = ''): Promise<ChildProcess> {
  const args = [WORKER, databaseUrl, MEDIA_DIR, version];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout!, 'data');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** A film, and the folder in which its jobs note themselves. */
interface Film {
  readonly task: Task;
  readonly folder: string;
}

async function submit(...held: readonly string[]): Promise<Film> {
  const folder = await mkdtemp(path.join(dir, 'film-'));
  for (const job of held) await writeFile(path.join(folder, `hold ${job}`), '');
  const accountId = await newAccount();
  const target = await storeInput(accountId, 'target_video', Buffer.from(`film ${folder}`));
  const task = await submitOrder(accountId, 'VIDEO_SWAP', {
    kind: 'swap-video',
    source: await storeInput(accountId, 'source_image', sample.body),
    target: { ...target, contentType: 'video/mp4', durationSeconds: 100 },
    restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    size: {},
  });
  return { task, folder };
}

/** Names of the jobs that were begun, without those who did them; sorted. */
async function begun({ folder }: Film): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /^[a-z-]+ \d+ \d+ \d+$/.test(name));
  return names.map((name) => name.split(' ').slice(0, 2).join(' ')).sort();
}

/** Processes that began a job. */
async function whoBegan({ folder }: Film, job: string): Promise<number[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${job} `));
  return names.map((name) => Number(name.split(' ')[2]));
}

async function taken(film: Film, job: string): Promise<void> {
  for (const deadline = performance.now() + 60_000; !(await begun(film)).includes(job); await delay(5))
    assert.ok(performance.now() < deadline, `nobody took ${job}`);
}

/** Waits until nothing but one part is in anybody's hands, not even on its way to the store. */
async function onlyOneRuns({ task }: Film): Promise<void> {
  for (const deadline = performance.now() + 60_000; ; await delay(5)) {
    const { rows } = await db.pool.query(`select from task_parts where task_id = $1 and status = 'RUNNING'`, [
      task.id,
    ]);
    if (rows.length === 1) return;
    assert.ok(performance.now() < deadline, 'parts do not end');
  }
}

const release = ({ folder }: Film, job: string): Promise<void> => rm(path.join(folder, `hold ${job}`));

/** Makes the silence of a killed worker last as long as its lease. */
async function endLeases({ task }: Film): Promise<void> {
  for (const [table, status] of [
    ['tasks', 'PROCESSING'],
    ['task_parts', 'RUNNING'],
  ] as const)
    await db.pool.query(
      `update ${table} set lease_until = now() - interval '1 s'
       where ${table === 'tasks' ? 'id' : 'task_id'} = $1 and status = $2`,
      [task.id, status],
    );
}

/** Checks that of a task its outputs are there and nothing else: no file, row or part. */
async function leavesOnlyOutputs(task: Task): Promise<void> {
  const sweeper = startSweeper({
    pool: db.pool,
    storage,
    prune: async () => {},
    onError: (error) => assert.ifError(error),
  });
  const expected = (task.result?.outputs ?? []).map(({ objectKey }) => objectKey);
  const objects = async (): Promise<string[]> => {
    await sweeper.sweepNow();
    const { rows } = await db.pool.query('select key from objects where task_id = $1', [task.id]);
    return rows.map(({ key }) => key);
  };
  // A worker that lost its part removes what it made by itself.
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await delay(20)) {
    if ((await objects()).length === expected.length) break;
  }
  assert.deepEqual(await objects(), expected);
  await sweeper.stop();
  const files = await readdir(path.join(MEDIA_DIR, 'objects'), { recursive: true, withFileTypes: true });
  const { rows } = await db.pool.query('select key from objects');
  const known = new Set(rows.map(({ key }) => path.basename(key)));
  const strangers = files.filter((file) => file.isFile() && !known.has(file.name));
  assert.deepEqual(
    strangers.map(({ name }) => name),
    [],
  );
  assert.equal((await db.pool.query('select 1 from task_parts where task_id = $1', [task.id])).rowCount, 0);
}

async function completedOnce({ task }: Film): Promise<Task> {
  const final = await ended(task);
  assert.equal(final.status, 'COMPLETED', JSON.stringify(final.error));
  const [output, ...others] = final.result!.outputs;
  assert.deepEqual(others, []);
  assert.equal(
    await storage.withLocalFile(output!.objectKey, (file) => readFile(file, 'utf8')),
    'segment 0, segment 1, segment 2, segment 3',
  );
  assert.equal(final.result!.receipt!.frames.total, 100);
  assert.equal(final.result!.receipt!.identitySimilarity, 0.2);
  assert.deepEqual([final.costCredits, (await credits(task)).held], [COST, 0]);
  assert.deepEqual(await checkLedger(db), []);
  await leavesOnlyOutputs(final);
  return final;
}

test(
  'workers share the segments of a film, and each is studied and drawn once',
  { skip },
  async (context) => {
    startWorker(context, [scriptedEngine(), scriptedEngine()]);
    startWorker(context, [scriptedEngine(), scriptedEngine()]);
    const film = await submit('study-segment 0', 'draw-segment 1');
    // The other worker goes on beside those that are held.
    for (const job of JOBS.filter((each) => each.startsWith('study'))) await taken(film, job);
    await release(film, 'study-segment 0');
    for (const job of JOBS.filter((each) => each.startsWith('draw'))) await taken(film, job);
    await until(
      film.task,
      'frames are shown',
      ({ result }) => result?.progressFrames?.done === 75 && result.progressFrames.total === 100,
    );
    await release(film, 'draw-segment 1');
    await completedOnce(film);
    assert.deepEqual(await begun(film), JOBS);
  },
);

for (const job of ['cut-film 0', 'study-segment 2', 'choose-faces 0', 'draw-segment 1', 'join-film 0']) {
  test(`kill -9 of the only worker at ${job} has just that done again`, { skip }, async () => {
    const worker = await spawnWorker();
    const film = await submit(job);
    await taken(film, job);
    await onlyOneRuns(film);
    const before = await begun(film);
    await killed(worker);
    await release(film, job);
    await spawnWorker();
    await endLeases(film);
    await completedOnce(film);
    const again = (await begun(film)).filter((each, k, all) => each === all[k - 1]);
    assert.deepEqual(again, [job]);
    assert.ok(before.length < JOBS.length || job === 'join-film 0');
  });
}

for (const who of ['leads', 'helps'] as const) {
  test(`kill -9 of the worker that ${who} costs one segment`, { skip }, async () => {
    const leader = await spawnWorker();
    const film = await submit('draw-segment 0', 'draw-segment 1');
    await taken(film, 'draw-segment 0');
    const helper = await spawnWorker();
    await taken(film, 'draw-segment 1');
    await killed(who === 'leads' ? leader : helper);
    await endLeases(film);
    await release(film, 'draw-segment 0');
    await release(film, 'draw-segment 1');
    await completedOnce(film);
    const again = (await begun(film)).filter((each, k, all) => each === all[k - 1]);
    // The other one lost its lease, too, as the test ended all: it may have been done by then.
    assert.ok(again.length <= 2 && again.includes(`draw-segment ${who === 'leads' ? 0 : 1}`), `${again}`);
    assert.ok(again.every((each) => each.startsWith('draw-segment')));
  });
}

test('workers that are killed again and again finish a film in the end', { skip }, async () => {
  const film = await submit();
  let workers: ChildProcess[] = await Promise.all([spawnWorker(), spawnWorker()]);
  for (let round = 0; round < 4; round++) {
    const done = (await begun(film)).length;
    for (const deadline = performance.now() + 60_000; (await begun(film)).length === done; await delay(5)) {
      if ((await read(film.task))?.status === 'COMPLETED') break;
      assert.ok(performance.now() < deadline, 'nothing was begun');
    }
    await killed(workers[round % 2]!);
    await endLeases(film);
    workers = workers.with(round % 2, await spawnWorker());
  }
  await completedOnce(film);
});

test('a film is made by one engine: another begins it again, and never mixes', { skip }, async () => {
  const first = await spawnWorker('version-1');
  const film = await submit('draw-segment 1');
  await taken(film, 'draw-segment 1');
  await onlyOneRuns(film);
  const before = await begun(film);
  const second = await spawnWorker('version-2');
  // It makes a film of its own, as the first one has its hands full, but takes nothing of this one.
  await completedOnce(await submit());
  assert.deepEqual(await begun(film), before);
  await killed(first);
  await endLeases(film);
  await release(film, 'draw-segment 1');
  await completedOnce(film);
  const again = (await begun(film)).filter((each, k, all) => each === all[k - 1]);
  assert.deepEqual(again, before);
  assert.equal(second.exitCode, null);
});

test('a cancelled film is let go of at once, and leaves nothing behind', { skip }, async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const film = await submit('draw-segment 2');
  await taken(film, 'draw-segment 2');
  const address = {
    accountId: film.task.accountId,
    taskId: film.task.id,
    interface: 'ai-tasks',
    type: 'VIDEO_SWAP',
  } as const;
  const cancelled = await cancelTask(db, address, { inputRetentionMs: 0 });
  assert.deepEqual([cancelled?.status, cancelled?.costCredits], ['CANCELLED', 0]);
  await leavesOnlyOutputs((await read(film.task))!);
  await completedOnce(await submit());
});

test('a segment that fails fails the film, with its own message', { skip }, async (context) => {
  startWorker(context, [scriptedEngine(), scriptedEngine()]);
  const film = await submit('cut-film 0');
  await taken(film, 'cut-film 0');
  await writeFile(path.join(film.folder, 'fail study-segment 3'), '');
  await release(film, 'cut-film 0');
  const { status, error } = await ended(film.task);
  assert.deepEqual([status, error], ['FAILED', { code: 'DECODE_FAILED', message: 'It is damaged.' }]);
  assert.ok(!existsSync(path.join(film.folder, 'choose-faces 0')));
  assert.ok((await whoBegan(film, 'choose-faces 0')).length === 0);
  await leavesOnlyOutputs((await read(film.task))!);
});

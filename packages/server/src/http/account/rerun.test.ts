import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { Plan } from '@guise/contract/plans.ts';
import type { TaskType } from '@guise/contract/task.ts';
import { createAccount } from '../../accounts/create-account.ts';
import { checkLedger } from '../../credits/check-ledger.ts';
import { storeInputs } from '../../intake/store-inputs.ts';
import { createEmailLink } from '../../sign-in/email-links.ts';
import { startSweeper } from '../../storage/sweeper.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { NewTask, StoredInput, WorkSpec } from '../../tasks/task.ts';
import { inputsOf, mapInputs } from '../../tasks/work-inputs.ts';
import { Browser } from '../testing/browser.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

const RESTORE = { faceRestoreVisibility: 0.8, restoreVisibility: 0.6 };
const RETENTION_MS = 3_600_000;

let app: TestApp;
before(async () => {
  app = await startTestApp({ GUISE_PUBLIC_URL: 'http://guise.test' });
});
after(async () => {
  assert.deepEqual(await checkLedger(app.deps.database), []);
  await app.close();
});

interface Person {
  readonly id: string;
  readonly browser: Browser;
}

async function person(credits = 100, plan: Plan = 'pro'): Promise<Person> {
  const { pool } = app.deps.database;
  const email = `${randomUUID()}@example.com`;
  const options = { email, plan, emailVerified: true, startingCredits: credits };
  const { id } = await createAccount(app.deps.database, options);
  const link = await createEmailLink(pool, 'http://guise.test', { accountId: id, purpose: 'sign-in', email });
  const browser = new Browser(app);
  const token = link.split('#token=')[1];
  assert.equal((await browser.post('/account/auth/sign-in-link', { token })).status, 200);
  return { id, browser };
}

/** An upload whose bytes are its field's name. */
async function upload(accountId: string, field: string, durationSeconds?: number): Promise<StoredInput> {
  const scratch = app.deps.storage.scratch.newPath('png');
  await writeFile(scratch, field);
  const input = {
    field,
    fileName: `${field}.png`,
    contentType: 'image/png',
    sizeBytes: field.length,
    sha256: '00'.repeat(32),
    width: 64,
    height: 48,
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
  };
  const { database, storage } = app.deps;
  const files = [{ path: scratch, extension: 'png', input }];
  return (await storeInputs(files, accountId, { pool: database.pool, storage }))[0]!;
}

async function post(
  accountId: string,
  type: TaskType,
  work: WorkSpec,
  costCredits: number,
  over: NewTask['interface'] = 'ai-tasks',
): Promise<string> {
  const lane = type === 'IMAGE_SWAP' || type === 'MULTI_FACE_SWAP' ? 'short' : 'long';
  const parameters = { ...RESTORE, targetImage: { name: 'targetImage.png' } };
  const newTask = { accountId, interface: over, type, lane, parameters, work, costCredits } as const;
  return (await createTask(app.deps.database, newTask)).task!.id;
}

async function postPhoto(accountId: string, over?: NewTask['interface']): Promise<string> {
  const [source, target] = [await upload(accountId, 'sourceImage'), await upload(accountId, 'targetImage')];
  return post(accountId, 'IMAGE_SWAP', { kind: 'swap-image', source, target, restore: RESTORE }, 3, over);
}

async function workOf(taskId: string): Promise<WorkSpec> {
  const { rows } = await app.deps.database.pool.query('select work from tasks where id = $1', [taskId]);
  return rows[0].work as WorkSpec;
}

const withoutKeys = (order: WorkSpec): WorkSpec => mapInputs(order, (input) => ({ ...input, objectKey: '' }));

const cancel = (accountId: string, taskId: string, inputRetentionMs: number) =>
  cancelTask(
    app.deps.database,
    { accountId, taskId, interface: 'ai-tasks', type: 'IMAGE_SWAP' },
    { inputRetentionMs },
  );

async function sweep(): Promise<void> {
  const { database, storage } = app.deps;
  const sweeper = startSweeper({
    pool: database.pool,
    storage,
    prune: async () => {},
    onError: assert.ifError,
  });
  await sweeper.sweepNow();
  await sweeper.stop();
}

/** Files and their rows: neither may outlive a refusal. */
async function stored(): Promise<number[]> {
  const names = await readdir(app.mediaDir, { recursive: true, withFileTypes: true });
  const { rowCount } = await app.deps.database.pool.query('select 1 from objects');
  return [names.filter((each) => each.isFile()).length, rowCount ?? 0];
}

test('every workflow is done again with the same parameters and files of its own, for its price', async () => {
  const { id, browser } = await person();
  const source = await upload(id, 'sourceImage');
  const clip = await upload(id, 'targetVideo', 4.2);
  const loop = await upload(id, 'targetGif', 2.5);
  const [other, group] = [await upload(id, 'sourceImage'), await upload(id, 'sourceImage')];
  const many = [await upload(id, 'targetImages[0]'), await upload(id, 'targetImages[1]')];
  const [shared, face] = [await upload(id, 'sourceImages'), await upload(id, 'targetFace0')];
  const box = { name: 'faceBox0', x: 1, y: 2, width: 30, height: 30 };
  const photo = await upload(id, 'targetImage');
  const workflows: [TaskType, WorkSpec, credits: number][] = [
    [
      'IMAGE_SWAP',
      { kind: 'swap-image', source: await upload(id, 'sourceImage'), target: photo, restore: RESTORE },
      3,
    ],
    [
      'BATCH_FACE_SWAP',
      { kind: 'swap-batch', items: many.map((target) => ({ source: shared, target })), restore: RESTORE },
      6,
    ],
    [
      'MULTI_FACE_SWAP',
      { kind: 'swap-group', target: group, replacements: [{ source: face, box }], restore: RESTORE },
      3,
    ],
    [
      'VIDEO_SWAP',
      { kind: 'swap-video', source, target: clip, restore: RESTORE, size: { maxShortSide: 720 } },
      10,
    ],
    ['GIF_FACE_SWAP', { kind: 'swap-gif', source: other, target: loop, restore: RESTORE }, 9],
  ];
  for (const [type, work, credits] of workflows) {
    const before = await post(id, type, work, credits);
    const had = (await browser.get('/account/me')).body.credits;
    const offer = (await browser.get(`/account/tasks/${before}`)).body;
    assert.deepEqual(offer.rerun, { costCredits: credits, until: null }, type);
    const { status, body } = await browser.post(`/account/tasks/${before}/rerun`);
    assert.deepEqual([status, Object.keys(body)], [201, ['taskId']], type);
    const again = (await browser.get(`/account/tasks/${body.taskId}`)).body;
    assert.deepEqual(
      [again.status, again.taskType, again.interface, again.costCredits, again.parameters],
      ['PENDING', type, 'ai-tasks', credits, offer.parameters],
    );
    const has = (await browser.get('/account/me')).body.credits;
    assert.deepEqual(has, { available: had.available - credits, held: had.held + credits });
    const copy = await workOf(body.taskId);
    const [old, fresh] = [inputsOf(work), inputsOf(copy)];
    const keys = new Set(old.map(({ objectKey }) => objectKey));
    assert.equal(fresh.length, old.length);
    for (const { objectKey, field } of fresh) {
      assert(!keys.has(objectKey), type);
      assert.equal(path.extname(objectKey), '.png');
      assert.equal(String(await buffer(await app.deps.storage.openRead(objectKey))), field);
    }
    assert.deepEqual(withoutKeys(copy), withoutKeys(work));
  }
});

test("files go with their own task: the first one's end leaves those of the second", async () => {
  const { id, browser } = await person();
  const first = await postPhoto(id);
  const second = (await browser.post(`/account/tasks/${first}/rerun`)).body.taskId;
  await cancel(id, first, 0);
  await sweep();
  for (const { objectKey } of inputsOf(await workOf(first)))
    assert.equal(await app.deps.storage.sizeBytes(objectKey), null);
  for (const { objectKey } of inputsOf(await workOf(second)))
    assert.notEqual(await app.deps.storage.sizeBytes(objectKey), null);
  await cancel(id, second, RETENTION_MS);
  const { until } = (await browser.get(`/account/tasks/${second}`)).body.rerun;
  const left = Date.parse(until) - Date.now();
  assert(left > 0.9 * RETENTION_MS && left <= RETENTION_MS, until);
  assert.equal((await browser.post(`/account/tasks/${second}/rerun`)).status, 201);
});

test("a task that is not there, another account's, of v1 or without its files: one and the same answer", async () => {
  const { id, browser } = await person();
  const stranger = await person();
  const [due, swept, torn] = [await postPhoto(id), await postPhoto(id), await postPhoto(id)];
  await cancel(id, swept, 0);
  await sweep();
  // Its time has come, but the sweeper has not.
  await cancel(id, due, 0);
  // The file alone is gone: deleted between the look and the copy.
  await app.deps.storage.delete(inputsOf(await workOf(torn))[1]!.objectKey);
  const v1 = await postPhoto(id, 'v1');
  const before = await stored();
  const { status, body } = await browser.post(`/account/tasks/${randomUUID()}/rerun`);
  assert.deepEqual([status, body.code], [404, 'NOT_FOUND']);
  for (const taskId of [due, swept, torn, v1]) {
    const answer = await browser.post(`/account/tasks/${taskId}/rerun`);
    assert.deepEqual([answer.status, answer.body], [404, body]);
  }
  for (const taskId of [due, swept, v1])
    assert.equal((await browser.get(`/account/tasks/${taskId}`)).body.rerun, null);
  const theirs = await stranger.browser.post(`/account/tasks/${await postPhoto(id)}/rerun`);
  assert.deepEqual([theirs.status, theirs.body], [404, body]);
  assert.equal((await browser.post('/account/tasks/x/rerun')).status, 404);
  // One more photo came in between.
  assert.deepEqual(await stored(), [before[0]! + 2, before[1]! + 2]);
  assert.deepEqual((await stranger.browser.get('/account/tasks')).body.tasks, []);
});

test('without the credits nothing is created and no copy stays', async () => {
  const { id, browser } = await person(5);
  const taskId = await postPhoto(id);
  const before = await stored();
  const { status, body } = await browser.post(`/account/tasks/${taskId}/rerun`);
  assert.deepEqual(
    [status, body.code, body.required, body.available],
    [402, 'INSUFFICIENT_CREDITS', 3, 2],
    JSON.stringify(body),
  );
  assert.deepEqual(await stored(), before);
  assert.equal((await browser.get('/account/tasks')).body.tasks.length, 1);
});

test('it counts as a POST: rate and IP allowlist are those of the keys', async () => {
  const free = await person(100, 'free');
  const taskId = await postPhoto(free.id);
  const { token } = (await free.browser.post('/account/token')).body;
  for (let n = 0; n < 5; n++)
    await fetch(`${app.url}/api/ai-tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
  const answers = [];
  for (let n = 0; n < 6; n++) answers.push(await free.browser.post(`/account/tasks/${taskId}/rerun`));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201, 201, 429],
  );
  assert(answers[5]!.body.resetSeconds > 0);
  const { pool } = app.deps.database;
  const big = await person(100, 'enterprise');
  const other = await postPhoto(big.id);
  await pool.query(`update accounts set ip_allowlist = '{198.51.100.0/24}' where id = $1`, [big.id]);
  const outside = await big.browser.post(`/account/tasks/${other}/rerun`);
  assert.deepEqual([outside.status, outside.body.code], [403, 'IP_NOT_ALLOWED']);
});

test('nobody reruns without a session, from another site, or by key', async () => {
  const { id } = await person();
  const url = `/account/tasks/${await postPhoto(id)}/rerun`;
  const { apiKey } = await app.newKey();
  const byKey = await new Browser(app).send('POST', url, undefined, { authorization: `Bearer ${apiKey}` });
  assert.equal(byKey.status, 401);
  const { browser } = await person();
  const across = await browser.send('POST', url, undefined, { origin: 'https://elsewhere.example' });
  assert.equal(across.status, 403);
});

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount } from '../../accounts/create-account.ts';
import { clearOfMidnight } from '../../accounts/testing/clear-of-midnight.ts';
import { checkLedger } from '../../credits/check-ledger.ts';
import { registerObjects } from '../../storage/objects.ts';
import { startSweeper } from '../../storage/sweeper.ts';
import { createTask } from '../../tasks/create-task.ts';
import { claimTask } from '../../tasks/testing/claim-task.ts';
import { finishTask } from '../../tasks/finish-task.ts';
import { newOutput, newPhoto, resultWith } from '../../tasks/testing/task-fixtures.ts';
import { createEmailLink } from '../../sign-in/email-links.ts';
import type { Task } from '../../tasks/task.ts';
import { Browser } from '../testing/browser.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { newStorageKey } from '../../storage/storage.ts';

let app: TestApp;
let people = 0;
before(async () => {
  app = await startTestApp({ GUISE_PUBLIC_URL: 'http://guise.test' });
});
after(async () => {
  const wrong = await checkLedger(app.deps.database);
  await app.close();
  assert.deepEqual([...app.laterFailures, ...wrong], []);
});

interface Person {
  readonly id: string;
  readonly email: string;
  readonly browser: Browser;
}

/** Signed in by a one-time link. */
async function person(role: 'owner' | 'user' = 'user'): Promise<Person> {
  const { database } = app.deps;
  const email = `person-${people++}@example.com`;
  const { id } = await createAccount(database, {
    email,
    role,
    plan: 'pro',
    emailVerified: true,
    startingCredits: 100,
  });
  const browser = new Browser(app);
  const link = await createEmailLink(database.pool, 'http://guise.test', {
    accountId: id,
    purpose: 'sign-in',
    email,
  });
  const token = link.split('#token=')[1];
  assert.equal((await browser.post('/account/auth/sign-in-link', { token })).status, 200);
  assert.equal((await new Browser(app).post('/account/auth/sign-in-link', { token })).status, 401);
  return { id, email, browser };
}

async function newTask(accountId: string): Promise<Task> {
  const { database } = app.deps;
  const { task } = await createTask(database, await newPhoto(database, accountId));
  assert(task);
  return task;
}

const bearer = (token: string, url = '/api/ai-tasks?taskId=00000000-0000-4000-8000-000000000000') =>
  fetch(app.url + url, { headers: { authorization: `Bearer ${token}` } });

test('nothing under /account is open without a session, and no key opens it', async () => {
  const { apiKey } = await app.newKey();
  const id = '00000000-0000-4000-8000-000000000000';
  for (const [method, url] of [
    ['GET', '/account/me'],
    ['DELETE', '/account/me'],
    ['POST', '/account/token'],
    ['GET', '/account/keys'],
    ['POST', '/account/keys'],
    ['POST', `/account/keys/${id}/rotate`],
    ['GET', '/account/credits'],
    ['GET', '/account/usage'],
    ['GET', '/account/rates'],
    ['GET', '/account/tasks'],
    ['GET', `/account/tasks/${id}`],
    ['DELETE', `/account/tasks/${id}/files`],
    ['POST', `/account/tasks/${id}/rerun`],
    ['GET', '/account/auth/sessions'],
    ['POST', '/account/auth/change-password'],
    ['GET', '/account/operator/overview'],
    ['POST', `/account/operator/accounts/${id}/plan`],
  ] as const) {
    const answer = await new Browser(app).send(method, url, undefined, { authorization: `Bearer ${apiKey}` });
    assert.deepEqual([answer.status, answer.body.code], [401, 'UNAUTHENTICATED'], `${method} ${url}`);
  }
});

test('a key is shown once, works, is rotated and revoked', async () => {
  const { browser } = await person();
  const made = await browser.post('/account/keys', { name: ' laptop ' });
  assert.equal(made.status, 201);
  assert.match(made.body.secret, /^gsk_/);
  assert.equal((await bearer(made.body.secret)).status, 404);
  const listed = await browser.get('/account/keys');
  assert.equal(listed.body.keys[0].name, 'laptop');
  assert.equal(listed.body.keys[0].lastFour, made.body.secret.slice(-4));
  assert.notEqual(listed.body.keys[0].lastUsedAt, null);
  assert(!JSON.stringify(listed.body).includes(made.body.secret.slice(4, 40)));
  const rotated = await browser.post(`/account/keys/${made.body.key.id}/rotate`);
  assert.deepEqual([rotated.status, rotated.body.key.name], [201, 'laptop']);
  assert.equal((await bearer(made.body.secret)).status, 401);
  assert.equal((await bearer(rotated.body.secret)).status, 404);
  assert.equal((await browser.post(`/account/keys/${made.body.key.id}/rotate`)).status, 404);
  assert.equal((await browser.delete(`/account/keys/${rotated.body.key.id}`)).status, 200);
  assert.equal((await browser.delete(`/account/keys/${rotated.body.key.id}`)).status, 404);
  assert.equal((await bearer(rotated.body.secret)).status, 401);
  assert.equal((await browser.post('/account/keys', { name: '' })).status, 400);
});

test('a session is exchanged for a token that ends by itself; the cookie opens neither interface', async () => {
  const { browser, id } = await person();
  const { token, expiresAt } = (await browser.post('/account/token')).body;
  const seconds = (Date.parse(expiresAt) - Date.now()) / 1000;
  assert(seconds > 840 && seconds <= 901, `${seconds}`);
  assert.equal((await bearer(token)).status, 404);
  const byCookie = await fetch(`${app.url}/api/ai-tasks?taskId=${id}`, {
    headers: { cookie: browser.cookie },
  });
  assert.equal(byCookie.status, 401);
  assert.deepEqual((await browser.get('/account/keys')).body.keys, []);
  await app.deps.database.pool.query('update api_keys set expires_at = now() where session_id is not null');
  assert.equal((await bearer(token)).status, 401);
  const other = (await browser.post('/account/token')).body.token;
  assert.equal((await browser.post('/account/auth/sign-out')).status, 200);
  assert.equal((await bearer(other)).status, 401);
});

test("another account's keys, tasks, ledger and sessions are never reachable", async () => {
  const one = await person();
  const two = await person();
  const key = (await one.browser.post('/account/keys', { name: 'mine' })).body.key;
  const task = await newTask(one.id);
  const [session] = (await one.browser.get('/account/auth/sessions')).body.sessions;
  for (const [method, url] of [
    ['GET', `/account/tasks/${task.id}`],
    ['DELETE', `/account/tasks/${task.id}`],
    ['POST', `/account/tasks/${task.id}/rerun`],
    ['DELETE', `/account/keys/${key.id}`],
    ['POST', `/account/keys/${key.id}/rotate`],
    ['DELETE', `/account/auth/sessions/${session.id}`],
  ] as const) {
    const theirs = await two.browser.send(method, url);
    const nobodys = await two.browser.send(method, url.replace(/[0-9a-f-]{36}/, crypto.randomUUID()));
    assert.deepEqual([theirs.status, theirs.body], [404, nobodys.body], `${method} ${url}`);
  }
  assert.deepEqual((await two.browser.get('/account/tasks')).body.tasks, []);
  assert.deepEqual((await two.browser.get(`/account/tasks?cursor=${task.id}`)).body.tasks, []);
  assert.equal((await two.browser.get('/account/credits')).body.entries.length, 1);
  assert.deepEqual((await two.browser.get('/account/usage')).body.rows, []);
  assert.equal((await one.browser.get(`/account/tasks/${task.id}`)).body.status, 'PENDING');
});

test('tasks are listed by page and filter, shown whole, and cancelled', async () => {
  await clearOfMidnight();
  const { browser, id } = await person();
  const made: Task[] = [];
  for (let n = 0; n < 5; n++) made.push(await newTask(id));
  const first = (await browser.get('/account/tasks?limit=2')).body;
  const second = (await browser.get(`/account/tasks?limit=2&cursor=${first.next}`)).body;
  const third = (await browser.get(`/account/tasks?limit=2&cursor=${second.next}`)).body;
  const seen = [...first.tasks, ...second.tasks, ...third.tasks].map((task: { id: string }) => task.id);
  assert.deepEqual(seen, made.map((task) => task.id).toReversed());
  assert.equal(third.next, null);
  const last = (await browser.get(`/account/tasks?limit=3&cursor=${first.next}`)).body;
  assert.deepEqual([last.tasks.length, last.next], [3, null], 'nothing comes after a last page that is full');
  const cancelled = await browser.delete(`/account/tasks/${made[0]!.id}`);
  assert.deepEqual(
    [cancelled.status, cancelled.body.status, cancelled.body.costCredits],
    [200, 'CANCELLED', 0],
  );
  const of = async (query: string): Promise<number> =>
    (await browser.get(`/account/tasks?${query}`)).body.tasks.length;
  assert.deepEqual(
    [await of('status=CANCELLED'), await of('status=PENDING'), await of('type=VIDEO_SWAP')],
    [1, 4, 0],
  );
  assert.deepEqual(
    [await of('interface=v1'), await of('to=2020-01-01'), await of('from=2020-01-01')],
    [0, 0, 5],
  );
  for (const query of [
    'status=x',
    'cursor=x',
    'limit=0',
    'limit=101',
    'from=soon',
    'what=1',
    'limit=1&limit=2',
  ]) {
    assert.equal((await browser.get(`/account/tasks?${query}`)).status, 400, query);
  }
  const usage = (await browser.get('/account/usage?days=1')).body;
  const price = made[0]!.costCredits;
  assert.deepEqual(usage.rows, [
    {
      date: usage.to,
      taskType: 'IMAGE_SWAP',
      tasks: 5,
      completed: 0,
      failed: 0,
      cancelled: 1,
      credits: 4 * price,
    },
  ]);
  const ledger = (await browser.get('/account/credits?limit=3')).body;
  assert.equal(ledger.held, 4 * price);
  assert.equal(ledger.entries[0].kind, 'release');
  const rest = (await browser.get(`/account/credits?cursor=${ledger.next}`)).body;
  assert.equal(rest.entries.at(-1).kind, 'grant');
  assert.equal(rest.next, null);
  // By task: the hold of the cancelled task is left out, those of the waiting ones are not.
  const byTask = (await browser.get('/account/credits?by=task&limit=100')).body.entries;
  assert.deepEqual(
    byTask.map(({ kind }: { kind: string }) => kind),
    ['release', 'hold', 'hold', 'hold', 'hold', 'grant'],
  );
  assert.equal((await browser.get('/account/credits?by=day')).status, 400);
});

test('a task has the name of its file and a small picture, and its files are deleted together', async () => {
  const { browser, id } = await person();
  const { database, storage } = app.deps;
  const photo = await newPhoto(database, id);
  const parameters = { ...photo.parameters, targetImage: { name: 'beach.jpg' } };
  const { task } = await createTask(database, { ...photo, parameters });
  // Tasks of other tests wait too.
  let lease;
  do lease = (await claimTask(database, { lanes: ['short'], leaseMs: 60_000 }))!;
  while (lease.id !== task!.id);
  const output = await newOutput(database, id, task!.id);
  const thumbnail = await newOutput(database, id, task!.id);
  for (const { objectKey } of [output, thumbnail]) {
    const scratch = storage.scratch.newPath('jpg');
    await writeFile(scratch, 'swapped');
    await storage.put(objectKey, scratch);
  }
  const result = resultWith({ ...output, thumbnailKey: thumbnail.objectKey });
  await finishTask(
    database,
    { taskId: lease.id, leaseToken: lease.leaseToken },
    { status: 'COMPLETED', result },
    { inputRetentionMs: 0 },
  );

  const [summary] = (await browser.get('/account/tasks')).body.tasks;
  assert.equal(summary.fileName, 'beach.jpg');
  const link = new URL(summary.preview.thumbnailUrl);
  assert.equal((await fetch(app.url + link.pathname + link.search)).status, 200);
  assert.deepEqual((await browser.get(`/account/tasks/${task!.id}`)).body.thumbnailUrls, [link.href]);

  const stranger = await person();
  assert.equal((await stranger.browser.delete(`/account/tasks/${task!.id}/files`)).status, 404);
  const deleted = (await browser.delete(`/account/tasks/${task!.id}/files`)).body;
  assert.deepEqual(deleted.thumbnailUrls, [null]);
  assert.equal(deleted.preview.thumbnailUrl, undefined);
  for (const { objectKey } of [output, thumbnail]) assert.equal(await storage.sizeBytes(objectKey), null);
  assert.equal((await fetch(app.url + link.pathname + link.search)).status, 410);
});

test('how much of the rates is used is told without using them', async () => {
  const { browser } = await person();
  const { token } = (await browser.post('/account/token')).body;
  await bearer(token);
  const { rates } = (await browser.get('/account/rates')).body;
  const read = rates.find((rate: { bucket: string }) => rate.bucket === 'ai-tasks:read');
  assert.deepEqual([read.limit, read.used, read.windowSeconds], [600, 1, 60]);
  assert(read.resetSeconds > 0);
});

test('an account without a limit sees what it uses, and starts afresh on a plan that has one', async () => {
  await clearOfMidnight();
  const { browser, id } = await person();
  const { pool } = app.deps.database;
  await pool.query(`update accounts set plan = 'enterprise' where id = $1`, [id]);
  const { token } = (await browser.post('/account/token')).body;
  const v1 = '/v1/status/job_00000000000040008000000000000000';
  await Promise.all([bearer(token), bearer(token), bearer(token, v1), bearer(token, v1), bearer(token, v1)]);
  const used = async () =>
    (await browser.get('/account/rates')).body.rates.map(
      (each: { bucket: string; used: number; limit: number | null }) => [each.bucket, each.used, each.limit],
    );
  const all = [
    ['ai-tasks', 0, null],
    ['ai-tasks:read', 2, null],
    ['v1', 3, null],
    ['v1:day', 3, null],
  ];
  const deadline = performance.now() + 30_000;
  while (JSON.stringify(await used()) !== JSON.stringify(all) && performance.now() < deadline)
    await delay(50);
  assert.deepEqual(await used(), all);
  await pool.query(`update accounts set plan = 'pro' where id = $1`, [id]);
  assert.deepEqual(await used(), [
    ['ai-tasks', 0, 60],
    ['ai-tasks:read', 0, 600],
    ['v1', 0, 60],
    ['v1:day', 0, 5000],
  ]);
});

test('an Enterprise account says where its keys work from; no other plan can', async () => {
  const { browser, id } = await person();
  const list = (...ranges: string[]) => browser.send('PUT', '/account/ip-allowlist', { ranges });
  assert.equal((await list('198.51.100.0/24')).status, 403);
  await app.deps.database.pool.query(`update accounts set plan = 'enterprise' where id = $1`, [id]);
  assert.equal((await list('not a range')).status, 400);
  const { token } = (await browser.post('/account/token')).body;
  assert.equal((await bearer(token)).status, 404);
  assert.deepEqual((await list('198.51.100.0/24')).body, { ranges: ['198.51.100.0/24'] });
  assert.deepEqual((await browser.get('/account/ip-allowlist')).body, { ranges: ['198.51.100.0/24'] });
  assert.equal((await bearer(token)).status, 401);
  assert.deepEqual((await list()).body, { ranges: [] });
  assert.equal((await bearer(token)).status, 404);
});

test('a deleted account is gone with everything, its media too', async () => {
  const { browser, id, email } = await person();
  const { database, storage } = app.deps;
  const task = await newTask(id);
  // Others wait too.
  let claimed;
  do claimed = await claimTask(database, { lanes: ['short'], leaseMs: 15_000 });
  while (claimed !== null && claimed.id !== task.id);
  assert(claimed);
  const { token } = (await browser.post('/account/token')).body;
  const key = newStorageKey('output', 'png');
  const deleteAfter = new Date(Date.now() + 3_600_000);
  await registerObjects(database.pool, [
    { key, kind: 'output', accountId: id, taskId: task.id, sizeBytes: 5, deleteAfter },
  ]);
  const scratch = storage.scratch.newPath('png');
  await writeFile(scratch, 'bytes');
  await storage.put(key, scratch);
  assert.equal((await browser.delete('/account/me', { email: 'other@example.com' })).status, 400);
  const set = { newPassword: 'a password for the road' };
  assert.equal((await browser.post('/account/auth/change-password', set)).status, 200);
  assert.equal((await browser.delete('/account/me', { email })).status, 400);
  const gone = await browser.delete('/account/me', { email, password: set.newPassword });
  assert.deepEqual([gone.status, browser.cookie], [200, '']);
  assert.equal((await bearer(token)).status, 401);
  // The fixtures' inputs are rows without files; those of other tests have accounts.
  const { rows } = await database.pool.query(
    `delete from objects where kind = 'input' and task_id is null and account_id is null
     returning delete_after <= now() as due`,
  );
  assert.deepEqual(rows, [{ due: true }, { due: true }]);
  await database.pool.query(`delete from objects where kind = 'input'`);
  const sweeper = startSweeper({
    pool: database.pool,
    storage,
    prune: async () => {},
    onError: (error) => assert.fail(error as Error),
  });
  await sweeper.sweepNow();
  await sweeper.stop();
  assert.equal(await storage.sizeBytes(key), null);
  assert.equal((await database.pool.query('select 1 from objects where key = $1', [key])).rowCount, 0);
  for (const table of ['tasks', 'api_keys', 'sessions', 'credit_entries', 'passwords']) {
    const { rowCount } = await database.pool.query(`select 1 from ${table} where account_id = $1`, [id]);
    assert.equal(rowCount, 0, table);
  }
});

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { DEFAULT_PRICES } from '@guise/contract/prices.ts';
import { createAccount } from '../../../accounts/create-account.ts';
import { addBlocked } from '../../../blocklist/blocklist.ts';
import { checkLedger } from '../../../credits/check-ledger.ts';
import { discardInputs } from '../../../intake/discard-inputs.ts';
import { storeInputs } from '../../../intake/store-inputs.ts';
import { createEmailLink, hashToken } from '../../../sign-in/email-links.ts';
import { LanePace } from '../../../tasks/queue/lane-pace.ts';
import { heldNetworks } from '../../../networks/testing/test-networks.ts';
import { announceWorker } from '../../../tasks/queue/worker-presence.ts';
import { Browser, latestMail } from '../../testing/browser.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
let owner: Browser;
let people = 0;
before(async () => {
  app = await startTestApp({ GUISE_PUBLIC_URL: 'http://guise.test' });
  owner = (await person('owner')).browser;
});
after(async () => {
  const wrong = await checkLedger(app.deps.database);
  await app.close();
  assert.deepEqual([...app.laterFailures, ...wrong], []);
});

async function person(
  role: 'owner' | 'user' = 'user',
): Promise<{ readonly id: string; readonly email: string; readonly browser: Browser }> {
  const { database } = app.deps;
  const email = `${role}-${people++}@example.com`;
  const account = { email, role, plan: 'free', emailVerified: true, startingCredits: 10 } as const;
  const { id } = await createAccount(database, account);
  const to = { accountId: id, purpose: 'sign-in', email } as const;
  const [, token] = (await createEmailLink(database.pool, 'http://guise.test', to)).split('#token=');
  const browser = new Browser(app);
  assert.equal((await browser.post('/account/auth/sign-in-link', { token })).status, 200);
  return { id, email, browser };
}

const bytesOfInputs = async (): Promise<number> =>
  (await owner.get('/account/operator/overview')).body.storage.inputs.bytes;

const audit = async (): Promise<
  { action: string; operatorEmail: string; accountEmail: string; details: Record<string, unknown> }[]
> => (await owner.get('/account/operator/audit')).body.entries;

test("to anybody but an owner the operator's paths do not exist", async () => {
  const { browser, id } = await person();
  for (const [method, path, body] of [
    ['GET', 'overview'],
    ['GET', 'accounts'],
    ['GET', `accounts/${id}`],
    ['POST', `accounts/${id}/plan`, { plan: 'enterprise' }],
    ['POST', `accounts/${id}/credits`, { credits: 1000 }],
    ['POST', `accounts/${id}/suspend`, { suspended: false }],
    ['POST', `accounts/${id}/verify`],
    ['GET', 'failures'],
    ['GET', 'workers'],
    ['GET', 'invitations'],
    ['POST', 'invitations', {}],
    ['DELETE', `invitations/${id}`],
    ['GET', 'blocklist'],
    ['POST', 'blocklist'],
    ['DELETE', `blocklist/${id}`],
    ['GET', 'audit'],
  ] as const) {
    const answer = await browser.send(method, `/account/operator/${path}`, body);
    assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND'], `${method} ${path}`);
  }
  assert.deepEqual(await audit(), []);
});

test('an owner changes plan and credits; the log says so, and nothing is logged that did not happen', async () => {
  const { id, email, browser } = await person();
  const url = `/account/operator/accounts/${id}`;
  const planned = await owner.post(`${url}/plan`, { plan: 'pro' });
  assert.deepEqual([planned.status, planned.body.plan], [200, 'pro']);
  assert.equal((await browser.get('/account/me')).body.limits.requestsPerMinute, 60);
  const given = await owner.post(`${url}/credits`, { credits: 5, note: 'sorry' });
  assert.deepEqual(given.body.credits, { available: 15, held: 0 });
  assert.equal((await owner.post(`${url}/credits`, { credits: -16 })).status, 400);
  assert.equal((await owner.post(`${url}/credits`, { credits: 0 })).status, 400);
  assert.equal((await owner.post(`${url}/credits`, { credits: 1.5 })).status, 400);
  assert.equal((await owner.post(`${url}/plan`, { plan: 'gold' })).status, 400);
  const missing = await owner.post(`/account/operator/accounts/${crypto.randomUUID()}/plan`, { plan: 'pro' });
  assert.equal(missing.status, 404);
  const log = (await audit()).filter((entry) => entry.accountEmail === email);
  assert.deepEqual(
    log.map(({ action, details }) => [action, details]),
    [
      ['credits.change', { credits: 5, note: 'sorry', availableAfter: 15 }],
      ['plan.set', { from: 'free', to: 'pro' }],
    ],
  );
  assert.equal((await browser.get('/account/credits')).body.entries[0].note, 'sorry');
});

test('a suspended account is out at once, sessions, links and tokens; resuming lets it in again', async () => {
  const { id, email, browser } = await person();
  const { token } = (await browser.post('/account/token')).body;
  const ask = () => fetch(`${app.url}/api/ai-tasks`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await ask()).status, 400);
  const url = `/account/operator/accounts/${id}`;
  const suspended = await owner.post(`${url}/suspend`, { suspended: true, note: 'spam' });
  assert.deepEqual([suspended.status, suspended.body.suspended, suspended.body.sessions], [200, true, 0]);
  assert.equal((await browser.get('/account/me')).status, 401);
  assert.equal((await ask()).status, 401);
  assert.equal((await new Browser(app).post('/account/auth/request-reset', { email })).status, 202);
  await app.deps.signIn.settled();
  const { rowCount } = await app.deps.database.pool.query('select 1 from email_links where account_id = $1', [
    id,
  ]);
  assert.equal(rowCount, 0);
  assert.equal((await owner.post(`${url}/suspend`, { suspended: false })).body.suspended, false);
  const me = (await owner.get('/account/me')).body;
  const own = await owner.post(`/account/operator/accounts/${me.id}/suspend`, { suspended: true });
  assert.equal(own.status, 403);
});

test('verifying an account grants its starting credits once', async () => {
  const account = {
    email: 'shy@example.com',
    plan: 'free',
    emailVerified: false,
    startingCredits: 0,
  } as const;
  const { id } = await createAccount(app.deps.database, account);
  const url = `/account/operator/accounts/${id}/verify`;
  const answers = await Promise.all([owner.post(url), owner.post(url)]);
  assert.deepEqual(
    answers.map(({ body }) => body.credits.available),
    [30, 30],
  );
  assert.equal((await audit()).filter(({ action }) => action === 'account.verify').length, 1);
});

test('an invitation makes one account of its plan; without one there is none', async () => {
  const visitor = new Browser(app);
  const email = 'guest@example.com';
  const newPassword = 'a long password';
  const signUp = (more: object) => visitor.post('/account/auth/sign-up', { email, ...more });
  assert.equal((await signUp({})).status, 403);
  assert.equal((await signUp({ invitation: 'x'.repeat(43) })).status, 403);
  const wanted = { email: 'Guest@example.com', plan: 'pro' };
  const made = await owner.post('/account/operator/invitations', wanted);
  assert.equal(made.status, 201);
  const { token } = await latestMail(app, 'guest@example.com');
  assert.equal(made.body.link, `http://guise.test/sign-up#invitation=${token}`);
  assert.equal((await signUp({ email: 'thief@example.com', invitation: token })).status, 403);
  assert.equal((await signUp({ invitation: token })).status, 202);
  const verification = await latestMail(app, 'guest@example.com');
  // The mail was lost: the same person may use it again until the address is verified.
  assert.equal((await signUp({ invitation: token })).status, 202);
  const again = await latestMail(app, email);
  assert.notEqual(again.token, verification.token);
  const verified = await visitor.post('/account/auth/verify-email', { token: again.token, newPassword });
  assert.equal(verified.status, 200);
  assert.equal((await visitor.post('/account/auth/sign-in', { email, password: newPassword })).status, 200);
  assert.equal((await visitor.get('/account/me')).body.plan, 'pro');
  assert.equal((await signUp({ invitation: token })).status, 403);
  const open = await owner.post('/account/operator/invitations', {});
  const url = `/account/operator/invitations/${open.body.invitation.id}`;
  assert.deepEqual([(await owner.delete(url)).status, (await owner.delete(url)).status], [200, 404]);
  const { invitations } = (await owner.get('/account/operator/invitations')).body;
  assert.deepEqual(
    invitations.map((each: { email: string; usedAt: string | null }) => [each.email, each.usedAt !== null]),
    [['guest@example.com', true]],
  );
});

test('an open invitation makes one account, and one whose account could not be made is not used up', async () => {
  const { pool } = app.deps.database;
  const token = tokenOf((await owner.post('/account/operator/invitations', {})).body.link);
  const used = async (): Promise<boolean> =>
    (
      await pool.query('select used_at is not null as used from invitations where hash = $1', [
        hashToken(token),
      ])
    ).rows[0].used;
  const signUp = (email: string) =>
    new Browser(app).post('/account/auth/sign-up', { email, invitation: token });
  await pool.query(`alter table accounts add constraint unlucky check (email <> 'unlucky@example.com')`);
  assert.equal((await signUp('unlucky@example.com')).status, 202);
  await app.deps.signIn.settled();
  assert.equal((app.laterFailures as unknown[]).splice(0).length, 1);
  assert.equal(await used(), false);
  await pool.query('alter table accounts drop constraint unlucky');
  const rivals = ['rival-1@example.com', 'rival-2@example.com', 'rival-3@example.com'];
  await Promise.all(rivals.map(signUp));
  await app.deps.signIn.settled();
  const { rows } = await pool.query('select email from accounts where email = any($1)', [rivals]);
  assert.equal(rows.length, 1);
  assert.equal(await used(), true);
});

test('who has an address of somebody else signed up takes no plan from their invitation', async () => {
  const { database } = app.deps;
  const email = 'invited@example.com';
  // Made by a stranger.
  await createAccount(database, { email, plan: 'free', emailVerified: false, startingCredits: 0 });
  const made = await owner.post('/account/operator/invitations', { email, plan: 'enterprise' });
  const invitation = tokenOf(made.body.link);
  assert.equal((await new Browser(app).post('/account/auth/sign-up', { email, invitation })).status, 202);
  await app.deps.signIn.settled();
  const { accounts } = await list(`q=${email}`);
  assert.equal(accounts[0].plan, 'enterprise');
});

const tokenOf = (link: string): string => link.split('=')[1]!;

const list = async (query: string) => (await owner.get(`/account/operator/accounts?${query}`)).body;

test('accounts are found by a part of their address, page by page', async () => {
  for (const n of [1, 2, 3]) {
    const account = { email: `crowd-${n}@example.com`, plan: 'free', emailVerified: true } as const;
    await createAccount(app.deps.database, { ...account, startingCredits: 0, name: '100%_Crowd' });
  }
  const first = await list('q=CROWD-&limit=2');
  const second = await list(`q=CROWD-&limit=2&cursor=${first.next}`);
  assert.deepEqual(
    [...first.accounts, ...second.accounts].map((each: { email: string }) => each.email),
    ['crowd-3@example.com', 'crowd-2@example.com', 'crowd-1@example.com'],
  );
  assert.equal((await list(`q=${encodeURIComponent('100%_c')}`)).accounts.length, 3);
  assert.equal((await list(`q=${encodeURIComponent("' or 1=1 --")}`)).accounts.length, 0);
});

test('the overview tells of queue, workers, storage, prices and limits', async () => {
  const { database } = app.deps;
  const failures: unknown[] = [];
  const worker = announceWorker(database, {
    networks: heldNetworks(),
    slots: 3,
    pace: new LanePace(),
    onError: (error) => failures.push(error),
  });
  const deadline = performance.now() + 60_000;
  let body;
  do ({ body } = await owner.get('/account/operator/overview'));
  while (body.workers.total === 0 && performance.now() < deadline);
  assert.deepEqual(body.workers, { total: 1, slots: 3 });
  const { workers } = (await owner.get('/account/operator/workers')).body;
  assert.equal(workers[0].slots, 3);
  assert(workers[0].memoryBytes > 0);
  assert.deepEqual(workers[0].networks, []);
  assert.deepEqual(
    body.queue.map((lane: { lane: string }) => lane.lane),
    ['short', 'long'],
  );
  assert(body.accounts.total >= 2 && body.storage.databaseBytes > 0);
  assert.deepEqual(body.prices, DEFAULT_PRICES);
  assert.equal(body.plans.enterprise.requestsPerMinute, null);
  assert.equal(body.settings.mail, 'outbox');
  await worker.stop();
  assert.deepEqual((await owner.get('/account/operator/overview')).body.workers, { total: 0, slots: 0 });
  assert.deepEqual(failures, []);
});

test('what is stored is counted in bytes, of all accounts and of one, until it is deleted', async () => {
  const store = { pool: app.deps.database.pool, storage: app.deps.storage };
  const { id } = await person();
  const ofOne = async (): Promise<unknown> =>
    (await owner.get(`/account/operator/accounts/${id}`)).body.storage;
  const earlier = await bytesOfInputs();
  const files = [3_000_000, 500].map((sizeBytes) => ({
    path: app.deps.storage.scratch.newPath('png'),
    extension: 'png',
    input: {
      field: 'sourceImage',
      fileName: 'face.png',
      contentType: 'image/png',
      sizeBytes,
      sha256: '0'.repeat(64),
      width: 8,
      height: 8,
    },
  }));
  for (const { path, input } of files) await writeFile(path, Buffer.alloc(input.sizeBytes));
  const inputs = await storeInputs(files, id, store);
  assert.deepEqual(await ofOne(), { objects: 2, bytes: 3_000_500 });
  assert.equal(await bytesOfInputs(), earlier + 3_000_500);
  await discardInputs(inputs.slice(0, 1), store);
  assert.deepEqual(await ofOne(), { objects: 1, bytes: 500 });
  assert.equal(await bytesOfInputs(), earlier + 500);
});

test('failed tasks are listed for the operator', async () => {
  const { id } = await person();
  await failTasks(id, 1);
  const { failures, next } = (await owner.get('/account/operator/failures')).body;
  assert.deepEqual(
    [failures.length, failures[0].code, failures[0].accountId, next],
    [1, 'NO_FACE_DETECTED', id, null],
  );
  const { lastDay } = (await owner.get('/account/operator/overview')).body;
  assert.equal(lastDay.length, 24);
  assert.deepEqual([lastDay.at(-1).completed, lastDay.at(-1).cancelled], [0, 0]);
  assert.equal(
    lastDay.reduce((sum: number, hour: { failed: number }) => sum + hour.failed, 0),
    1,
  );
});

async function failTasks(accountId: string, count: number): Promise<void> {
  await app.deps.database.pool.query(
    `insert into tasks (account_id, interface, type, lane, status, parameters, work, cost_credits, error_code,
       error_message, completed_at)
     select $1, 'ai-tasks', 'IMAGE_SWAP', 'short', 'FAILED', '{}', '{}', 0, 'NO_FACE_DETECTED', 'No face.',
       now() - n / 2 * interval '1 s'
     from generate_series(1, $2) n`,
    [accountId, count],
  );
}

test("every list of the operator's comes page by page, each row once, the newest first", async () => {
  const { pool } = app.deps.database;
  await failTasks((await person()).id, 4);
  for (const email of ['page-1@example.com', 'page-2@example.com', 'page-3@example.com']) {
    assert.equal((await owner.post('/account/operator/invitations', { email })).status, 201);
  }
  await pool.query(
    `insert into workers (id, host, slots, memory_bytes, load, started_at, seen_at)
     select gen_random_uuid(), 'host-' || n, 1, 1, 0, now() - n / 2 * interval '1 s', now() + interval '10 min'
     from generate_series(1, 5) n`,
  );
  for (const name of ['Ada', 'Bob', 'Eve'])
    await addBlocked(pool, { name, why: 'They asked.' }, Buffer.of(1));
  for (const [name, key, time] of [
    ['accounts', 'id', 'createdAt'],
    ['workers', 'id', 'startedAt'],
    ['failures', 'taskId', 'completedAt'],
    ['invitations', 'id', 'createdAt'],
    ['blocklist', 'id', 'createdAt'],
    ['audit', 'id', 'createdAt'],
  ] as const) {
    const rowsOf = (body: Record<string, Record<string, string>[]>) =>
      body[name === 'audit' ? 'entries' : name === 'blocklist' ? 'people' : name]!;
    const all = rowsOf((await owner.get(`/account/operator/${name}?limit=100`)).body);
    assert(all.length >= 3, name);
    assert.deepEqual(
      all
        .map((row) => row[time]!)
        .sort()
        .toReversed(),
      all.map((row) => row[time]!),
    );
    const seen: string[] = [];
    for (let cursor = ''; cursor !== null && seen.length <= all.length;) {
      const { status, body } = await owner.get(
        `/account/operator/${name}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      assert.equal(status, 200);
      assert(rowsOf(body).length <= 2);
      seen.push(...rowsOf(body).map((row) => row[key]!));
      cursor = body.next;
    }
    assert.deepEqual(
      seen,
      all.map((row) => row[key]),
      name,
    );
    for (const query of ['cursor=x', 'limit=0', 'limit=101', 'page=2', 'limit=2&limit=3'])
      assert.equal((await owner.get(`/account/operator/${name}?${query}`)).status, 400, `${name}?${query}`);
  }
});

test('a deleted account leaves its address nowhere, an operator who leaves neither; what was done stays', async () => {
  const { database } = app.deps;
  const leaver = await person('owner');
  const made = await leaver.browser.post('/account/operator/invitations', {});
  const email = 'gone@example.com';
  const revoked = await leaver.browser.post('/account/operator/invitations', { email });
  const revocation = `/account/operator/invitations/${revoked.body.invitation.id}`;
  assert.equal((await leaver.browser.delete(revocation)).status, 200);
  const invited = await owner.post('/account/operator/invitations', { email, plan: 'pro' });
  const visitor = new Browser(app);
  const newPassword = 'a long password';
  const enter = async (page: string, body: unknown): Promise<number> =>
    (await visitor.post(`/account/auth/${page}`, body)).status;
  assert.equal(await enter('sign-up', { email, invitation: tokenOf(invited.body.link) }), 202);
  const { token } = await latestMail(app, email);
  assert.equal(await enter('verify-email', { token, newPassword }), 200);
  assert.equal(await enter('sign-in', { email, password: newPassword }), 200);
  const { id } = (await visitor.get('/account/me')).body;
  const given = await leaver.browser.post(`/account/operator/accounts/${id}/credits`, { credits: 5 });
  assert.equal(given.status, 200);
  const actions = async () => (await audit()).map(({ action }) => action);
  const before = await actions();
  assert.equal((await visitor.delete('/account/me', { email, password: newPassword })).status, 200);
  assert.equal((await leaver.browser.delete('/account/me', { email: leaver.email })).status, 200);
  for (const table of ['accounts', 'invitations', 'operator_actions', 'email_links']) {
    const { rows } = await database.pool.query(`select t::text from ${table} t`);
    const all = rows.map((row) => row.t).join('\n');
    for (const address of [email, leaver.email]) assert(!all.includes(address), `${table}: ${address}`);
  }
  assert.deepEqual(await actions(), before);
  assert.equal((await audit())[0]!.operatorEmail, `deleted-${leaver.id.slice(0, 8)}`);
  const { invitations } = (await owner.get('/account/operator/invitations')).body;
  assert(invitations.some((each: { id: string }) => each.id === made.body.invitation.id));
});

test('the only owner cannot be deleted', async () => {
  const me = (await owner.get('/account/me')).body;
  const refused = await owner.delete('/account/me', { email: me.email });
  assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN']);
});

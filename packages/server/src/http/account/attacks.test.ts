/**
 * What somebody with bad intentions tries on `/account`, on every route there is: a new one fails
 * here until it is safe.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { createAccount } from '../../accounts/create-account.ts';
import { clearOfMidnight } from '../../accounts/testing/clear-of-midnight.ts';
import { untilLockWait } from '../../db/testing/until-lock-wait.ts';
import { createEmailLink, type LinkPurpose } from '../../sign-in/email-links.ts';
import { createTask } from '../../tasks/create-task.ts';
import { newPhoto } from '../../tasks/testing/task-fixtures.ts';
import { toEventId } from '../../webhooks/event-id.ts';
import { type Answer, Browser, readOutbox } from '../testing/browser.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

const PASSWORD = 'correct horse battery';
const URL = 'http://guise.test';
const OPEN = [
  'GET /account/auth/config',
  'POST /account/auth/sign-up',
  'POST /account/auth/sign-in',
  'POST /account/auth/sign-in-link',
  // Without a session there is nothing to end.
  'POST /account/auth/sign-out',
  'POST /account/auth/resend-verification',
  'POST /account/auth/reset-password',
  'POST /account/auth/request-reset',
  'POST /account/auth/verify-email',
  // Whoever has the link of a saved face withdraws the consent, without an account.
  'POST /account/withdrawal/look',
  'POST /account/withdrawal',
];

let app: TestApp;
let people = 0;
before(async () => {
  app = await startTestApp({ GUISE_SIGN_UP: 'open', GUISE_PUBLIC_URL: URL });
});
beforeEach(() => app.deps.database.pool.query('delete from sign_in_attempts'));
after(async () => {
  await app.close();
  assert.deepEqual(app.laterFailures, []);
});

interface Person {
  readonly id: string;
  readonly email: string;
  readonly browser: Browser;
}

async function linkFor({ id, email }: Pick<Person, 'id' | 'email'>, purpose: LinkPurpose): Promise<string> {
  const to = { accountId: id, purpose, email };
  return (await createEmailLink(app.deps.database.pool, URL, to)).split('#token=')[1]!;
}

/** Signed in, with a password. */
async function person(role: 'owner' | 'user' = 'user'): Promise<Person> {
  const email = `attacked-${people++}@example.com`;
  const account = { email, role, plan: 'pro', emailVerified: true, startingCredits: 100 } as const;
  const { id } = await createAccount(app.deps.database, account);
  const browser = new Browser(app);
  const token = await linkFor({ id, email }, 'reset');
  const set = await browser.post('/account/auth/reset-password', { token, newPassword: PASSWORD });
  assert.equal(set.status, 200);
  assert.equal((await signIn(browser, email)).status, 200);
  return { id, email, browser };
}

const signIn = (browser: Browser, email: string, password = PASSWORD): Promise<Answer> =>
  browser.post('/account/auth/sign-in', { email, password });

/** `POST /account/keys/:id/rotate` and so on, from the router itself. */
function accountRoutes(): string[] {
  const routes: string[] = [];
  const parents: string[] = [];
  for (const line of app.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = /^([│ ]*)[├└]── (\S+) \((.+)\)$/.exec(line);
    if (found === null) continue;
    const [, indent = '', part = '', methods = ''] = found;
    const depth = indent.length / 4;
    parents[depth] = (depth === 0 ? '' : parents[depth - 1]!) + part;
    routes.push(...methods.split(', ').map((method) => `${method} ${parents[depth]!}`));
  }
  return routes.filter((route) => / \/account(\/|$)/.test(route));
}

const ask = (
  browser: Browser,
  route: string,
  id: string = randomUUID(),
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const [method = '', path = ''] = route.split(' ');
  return browser.send(method, path.replace(/:\w+/, id), undefined, headers);
};

test('without a session only the doors answer, and no key and no token is one', async () => {
  const { apiKey } = await app.newKey();
  const { browser } = await person();
  const { token } = (await browser.post('/account/token')).body;
  const routes = accountRoutes();
  assert(routes.length > 40, routes.join('\n'));
  for (const open of OPEN) assert(routes.includes(open), open);
  for (const route of routes.filter((each) => !OPEN.includes(each))) {
    for (const authorization of ['', `Bearer ${apiKey}`, `Bearer ${token}`]) {
      const { status, body } = await ask(new Browser(app), route, randomUUID(), { authorization });
      assert.deepEqual([status, body.code], [401, 'UNAUTHENTICATED'], route);
    }
  }
});

test("to somebody who is no owner every path of the operator's is like none", async () => {
  const { browser } = await person();
  const routes = accountRoutes().filter((route) => route.includes('/account/operator'));
  assert(routes.length >= 12, routes.join('\n'));
  for (const route of routes) {
    const { status, body } = await ask(browser, route);
    assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], route);
  }
});

test('no page of another site gets an answer from any path, with whatever session', async () => {
  const { browser } = await person('owner');
  for (const route of accountRoutes()) {
    for (const [name, value] of [
      ['sec-fetch-site', 'cross-site'],
      ['origin', 'https://evil.example'],
    ] as const) {
      const { status, headers: sent } = await ask(browser, route, randomUUID(), { [name]: value });
      assert.equal(status, 403, route);
      assert.equal(sent.get('access-control-allow-origin'), null);
    }
  }
  assert.equal((await browser.get('/account/me')).status, 200);
});

test('nothing of another account can be read, changed or ended by its id', async () => {
  // What the victim sees tells of today.
  await clearOfMidnight();
  const { database } = app.deps;
  const [victim, thief] = [await person(), await person()];
  const key = (await victim.browser.post('/account/keys', { name: 'mine' })).body;
  const { task } = await createTask(database, await newPhoto(database, victim.id));
  const event = randomUUID();
  await database.pool.query(
    `insert into webhook_events (id, account_id, task_id, event, url, origin, body, status, failures)
     values ($1, $2, $3, 'video_swap.completed', 'https://example.com/hook', 'https://example.com', '{"a":1}',
       'failed', 10)`,
    [event, victim.id, task!.id],
  );
  const session = (await victim.browser.get('/account/auth/sessions')).body.sessions[0].id;
  const idOf: Record<string, string> = {
    '/account/keys': key.key.id,
    '/account/tasks': task!.id,
    '/account/webhook-deliveries': toEventId(event),
    '/account/auth/sessions': session,
  };
  const own = accountRoutes().filter((route) => !route.includes('/operator'));
  const reads = own.filter((route) => route.startsWith('GET') && !route.includes(':'));
  const state = async (): Promise<string> => {
    const bodies = await Promise.all(reads.map((route) => ask(victim.browser, route)));
    return JSON.stringify(bodies.map(({ body }) => body));
  };
  const before = await state();
  const tried = own.filter((route) => route.includes('/:'));
  for (const route of tried) {
    const id = idOf[route.slice(route.indexOf('/'), route.indexOf('/:'))];
    assert(id, `whose ids does ${route} take?`);
    const { status, body } = await ask(thief.browser, route, id);
    assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], route);
  }
  assert.equal(await state(), before);
  const secrets = [victim.id, victim.email, key.secret, ...Object.values(idOf)];
  for (const route of reads) {
    const seen = JSON.stringify((await ask(thief.browser, route)).body);
    for (const secret of secrets) assert(!seen.includes(secret), `${route}: ${secret}`);
  }
  // They are what their own account finds: the ids above were good ones.
  for (const route of tried.filter((each) => each.startsWith('GET'))) {
    const id = idOf[route.slice(route.indexOf('/'), route.indexOf('/:'))];
    assert.equal((await ask(victim.browser, route, id)).status, 200, route);
  }
});

test("a list's cursor of another account leads nowhere into it", async () => {
  const { database } = app.deps;
  const [victim, thief] = [await person(), await person()];
  const { task } = await createTask(database, await newPhoto(database, victim.id));
  await createTask(database, await newPhoto(database, victim.id));
  assert.deepEqual((await thief.browser.get(`/account/tasks?cursor=${task!.id}`)).body.tasks, []);
  const huge = '/account/credits?cursor=999999999999999';
  const { entries } = (await thief.browser.get(huge)).body;
  assert.deepEqual(
    entries.map((each: { note: string }) => each.note),
    ['starting credits'],
  );
});

test('a session that was planted before signing in is not the one that is signed in', async () => {
  const [thief, victim] = [await person(), await person()];
  const browser = new Browser(app);
  browser.cookie = thief.browser.cookie;
  assert.equal((await signIn(browser, victim.email)).status, 200);
  assert.notEqual(browser.cookie, thief.browser.cookie);
  assert.equal((await browser.get('/account/me')).body.email, victim.email);
  assert.equal((await thief.browser.get('/account/me')).body.email, thief.email);
  const made = new Browser(app);
  made.cookie = `guise.session_token=${randomBytes(24).toString('hex')}.${randomBytes(32).toString('base64')}`;
  const planted = made.cookie;
  assert.equal((await signIn(made, victim.email)).status, 200);
  assert.notEqual(made.cookie, planted);
});

const flip = (from: string): string => (from.startsWith('A') ? 'B' : 'A') + from.slice(1);

test('a cookie with a byte changed, its signature or another name is no session', async () => {
  const { browser } = await person();
  const [name, value = ''] = browser.cookie.split('=');
  const text = decodeURIComponent(value);
  const [token = '', signature = ''] = [text.slice(0, text.indexOf('.')), text.slice(text.indexOf('.') + 1)];
  for (const cookie of [
    `${name}=${encodeURIComponent(`${flip(token)}.${signature}`)}`,
    `${name}=${encodeURIComponent(`${token}.${flip(signature)}`)}`,
    `${name}=${encodeURIComponent(`${token}.`)}`,
    `${name}=${token}`,
    `better-auth.session_token=${value}`,
    `guise.session_data=${value}`,
  ]) {
    assert.equal((await browser.send('GET', '/account/me', undefined, { cookie })).status, 401, cookie);
  }
  assert.equal((await browser.get('/account/me')).status, 200);
});

const FOLLOW: Record<LinkPurpose, (browser: Browser, token: string) => Promise<Answer>> = {
  verify: (browser, token) =>
    browser.post('/account/auth/verify-email', { token, newPassword: 'a password of mine' }),
  reset: (browser, token) =>
    browser.post('/account/auth/reset-password', { token, newPassword: 'a password of mine' }),
  change: (browser, token) => browser.post('/account/auth/confirm-email', { token }),
  'sign-in': (browser, token) => browser.post('/account/auth/sign-in-link', { token }),
};

for (const purpose of Object.keys(FOLLOW) as LinkPurpose[]) {
  test(`a link (${purpose}) works once, in its time, for its purpose, and no other token does`, async () => {
    const { pool } = app.deps.database;
    const { id, email, browser } = await person();
    const moved = purpose === 'change' ? `new-${email}` : email;
    const works = async (token: string): Promise<boolean> => {
      const { status } = await FOLLOW[purpose](browser, token);
      assert(status === 200 || status === 400 || (purpose === 'sign-in' && status === 401), `${status}`);
      return status === 200;
    };
    const late = await linkFor({ id, email: moved }, purpose);
    await pool.query('update email_links set expires_at = now()');
    assert.equal(await works(late), false);
    const token = await linkFor({ id, email: moved }, purpose);
    for (const forged of [
      'x',
      token.slice(1),
      `${token}A`,
      token.toUpperCase(),
      randomBytes(32).toString('base64url'),
    ]) {
      assert.equal(await works(forged), false, forged);
    }
    const others = Object.keys(FOLLOW).filter((each) => each !== purpose) as LinkPurpose[];
    for (const other of others) assert((await FOLLOW[other](browser, token)).status >= 400, other);
    const latest = await linkFor({ id, email: moved }, purpose);
    // Where several work side by side the first one used ends them all, else the latest alone
    // works.
    const isSideBySide = purpose === 'reset' || purpose === 'sign-in';
    assert.equal(await works(token), isSideBySide);
    assert.equal(await works(latest), !isSideBySide);
    if (purpose === 'reset' || purpose === 'verify')
      assert.equal((await signIn(browser, email, 'a password of mine')).status, 200);
    for (const used of [token, latest]) assert.equal(await works(used), false);
  });
}

test('a link that went to an address the account has left, or to a suspended one, does nothing', async () => {
  const { pool } = app.deps.database;
  for (const purpose of ['verify', 'reset'] as const) {
    const one = await person();
    const token = await linkFor(one, purpose);
    await pool.query('update accounts set email = $2 where id = $1', [one.id, `moved-${one.email}`]);
    assert.equal((await FOLLOW[purpose](new Browser(app), token)).status, 400);
    const two = await person();
    const other = await linkFor(two, purpose);
    await pool.query('update accounts set suspended_at = now() where id = $1', [two.id]);
    assert.equal((await FOLLOW[purpose](new Browser(app), other)).status, 400);
    assert.equal((await signIn(new Browser(app), two.email, 'a password of mine')).status, 401);
  }
});

test('with a new password every link that was mailed before is dead', async () => {
  for (const purpose of ['verify', 'reset', 'change', 'sign-in'] as const) {
    const { id, email, browser } = await person();
    const token = await linkFor({ id, email: purpose === 'change' ? `new-${email}` : email }, purpose);
    const change = { currentPassword: PASSWORD, newPassword: 'another long password' };
    assert.equal((await browser.post('/account/auth/change-password', change)).status, 200);
    assert((await FOLLOW[purpose](browser, token)).status >= 400, purpose);
  }
});

test('who signs in with the old password while a new one is being set has no session afterwards', async () => {
  const { pool } = app.deps.database;
  const { id, email } = await person();
  const thief = new Browser(app);
  const client = await pool.connect();
  try {
    // As setting a password does; the sign-in comes between its last statement and its commit.
    await client.query('begin');
    await client.query(`update passwords set hash = 'another' where account_id = $1`, [id]);
    await client.query('delete from sessions where account_id = $1', [id]);
    const signingIn = signIn(thief, email);
    await untilLockWait(pool);
    await client.query('commit');
    assert.equal((await signingIn).status, 401);
  } finally {
    client.release();
  }
  assert.equal(thief.cookie, '');
  assert.equal((await pool.query('select 1 from sessions where account_id = $1', [id])).rowCount, 0);
});

/** Each status with how often it came, in the order it first did. */
const count = async (times: number, attempt: (n: number) => Promise<Answer>): Promise<number[]> => {
  const statuses = new Map<number, number>();
  for (let n = 0; n < times; n++) {
    const { status } = await attempt(n);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return [...statuses].flat();
};

test('guessing is rationed: links, passwords of a stolen session, sign-ups from one network', async () => {
  const { email, browser } = await person();
  await app.deps.database.pool.query('delete from sign_in_attempts');
  const token = randomBytes(32).toString('base64url');
  const link = () => browser.post('/account/auth/confirm-email', { token });
  assert.deepEqual(await count(62, link), [400, 60, 429, 2]);
  assert.equal((await FOLLOW['sign-in'](new Browser(app), token)).status, 429);
  assert.equal((await FOLLOW.reset(new Browser(app), token)).status, 429);
  // Whatever the password is needed for, all count together, the right one too.
  const guesses = [
    () => browser.delete('/account/me', { email, password: 'wrong' }),
    () => browser.post('/account/auth/change-email', { newEmail: 'x@example.com', password: 'wrong' }),
    () =>
      browser.post('/account/auth/change-password', {
        currentPassword: 'wrong',
        newPassword: 'another long password',
      }),
  ];
  assert.deepEqual(await count(12, (n) => guesses[n % 3]!()), [400, 10, 429, 2]);
  assert.equal((await browser.delete('/account/me', { email, password: PASSWORD })).status, 429);
  const signUp = (n: number) => browser.post('/account/auth/sign-up', { email: `many-${n}@example.com` });
  // Mail is refused in silence.
  assert.deepEqual(await count(22, signUp), [202, 22]);
  await app.deps.signIn.settled();
  const made = await app.deps.database.pool.query("select 1 from accounts where email like 'many-%'");
  assert.equal(made.rowCount, 20);
});

test('a stranger who holds an address unverified keeps it from nobody who reads its mail', async () => {
  const { email, browser } = await person();
  const wanted = `wanted-${email}`;
  assert.equal((await new Browser(app).post('/account/auth/sign-up', { email: wanted })).status, 202);
  await app.deps.signIn.settled();
  const change = { newEmail: wanted, password: PASSWORD };
  assert.equal((await browser.post('/account/auth/change-email', change)).status, 202);
  const mails = (await readOutbox(app)).filter(({ to }) => to === wanted);
  const token = mails.find(({ subject }) => subject === 'Confirm your new email address')?.token ?? '';
  assert.equal((await browser.post('/account/auth/confirm-email', { token })).status, 200);
  assert.equal((await browser.get('/account/me')).body.email, wanted);
});

test('an address that a client makes up dodges no limit', async () => {
  const { email } = await person();
  await app.deps.database.pool.query('delete from sign_in_attempts');
  const guess = (n: number): Promise<Answer> => {
    const headers = { 'x-forwarded-for': `203.0.113.${n}`, forwarded: `for=203.0.113.${n}` };
    return new Browser(app).send('POST', '/account/auth/sign-in', { email, password: 'wrong' }, headers);
  };
  assert.deepEqual(await count(12, guess), [401, 10, 429, 2]);
});

test('over https no cookie travels in the clear, and no script and no other site has one', async () => {
  const secure = await startTestApp({ GUISE_PUBLIC_URL: 'https://guise.test' });
  try {
    const { database } = secure.deps;
    const account = {
      email: 'a@example.com',
      plan: 'free',
      emailVerified: true,
      startingCredits: 0,
    } as const;
    const { id } = await createAccount(database, account);
    const to = { accountId: id, purpose: 'sign-in', email: account.email } as const;
    const token = (await createEmailLink(database.pool, 'https://guise.test', to)).split('#token=')[1];
    const browser = new Browser(secure);
    const { headers } = await browser.post('/account/auth/sign-in-link', { token });
    const cookies = headers.getSetCookie();
    assert.deepEqual(
      cookies.map((cookie) => cookie.split('=')[0]),
      ['__Secure-guise.session_token', '__Secure-guise.device'],
    );
    for (const cookie of cookies) {
      for (const part of [
        /; Secure/i,
        /; HttpOnly/i,
        /; SameSite=Strict/i,
        /; Path=\/account(\/auth)?(;|$)/i,
      ])
        assert.match(cookie, part);
      assert.doesNotMatch(cookie, /; Domain/i);
    }
    assert.equal((await browser.get('/account/me')).status, 200);
  } finally {
    await secure.close();
  }
});

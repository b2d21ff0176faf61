import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { createEmailLink, hashToken } from '../../sign-in/email-links.ts';
import {
  type Answer,
  Browser,
  latestMail,
  parseMail,
  type ReadMail,
  readOutbox,
} from '../testing/browser.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ GUISE_SIGN_UP: 'open', GUISE_PUBLIC_URL: 'http://guise.test' });
});
after(async () => {
  await app.close();
  assert.deepEqual(app.laterFailures, []);
});

const PASSWORD = 'correct horse battery';

async function signedUp(email: string): Promise<Browser> {
  const browser = new Browser(app);
  assert.equal((await browser.post('/account/auth/sign-up', { email })).status, 202);
  const { token } = await latestMail(app, email);
  assert.equal((await verify(browser, token)).status, 200);
  assert.equal((await browser.post('/account/auth/sign-in', { email, password: PASSWORD })).status, 200);
  return browser;
}

const verify = (browser: Browser, token: string, newPassword = PASSWORD): Promise<Answer> =>
  browser.post('/account/auth/verify-email', { token, newPassword });

/** Requests a mail, which is sent after the answer. */
async function ask(browser: Browser, path: string, email: string): Promise<void> {
  assert.equal((await browser.post(`/account/auth/${path}`, { email })).status, 202);
}

/** The mail whose link works: of several sent at once the files do not tell which came last. */
async function latestLiveMail(to: string): Promise<ReadMail> {
  for (const mail of await readOutbox(app)) {
    if (mail.to !== to) continue;
    const { rowCount } = await app.deps.database.pool.query('select 1 from email_links where hash = $1', [
      hashToken(mail.token),
    ]);
    if (rowCount === 1) return mail;
  }
  throw new Error(`no mail to ${to} with a link that works`);
}

async function freshStart(): Promise<void> {
  await app.deps.database.pool.query('delete from sign_in_attempts');
}

test('from sign-up to a verified session with starting credits, granted once', async () => {
  const browser = new Browser(app);
  const email = 'ada@example.com';
  const accepted = await browser.post('/account/auth/sign-up', { email: ' Ada@Example.com' });
  assert.deepEqual([accepted.status, accepted.body], [202, { done: true }]);
  const { token } = await latestMail(app, email);
  const early = await browser.post('/account/auth/sign-in', { email, password: PASSWORD });
  assert.deepEqual([early.status, early.body.code], [401, 'UNAUTHENTICATED']);
  const chosen = { token, newPassword: PASSWORD, name: ' Ada ' };
  const both = await Promise.all([1, 2].map(() => browser.post('/account/auth/verify-email', chosen)));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
  assert.equal(browser.cookie, '');
  const answer = await browser.post('/account/auth/sign-in', { email, password: PASSWORD });
  assert.equal(answer.status, 200);
  const cookie = answer.headers.getSetCookie().find((each) => each.includes('session_token'))!;
  for (const attribute of [/; HttpOnly/i, /; SameSite=Strict/i, /; Path=\/account(;|$)/i]) {
    assert.match(cookie, attribute);
  }
  const me = (await browser.get('/account/me')).body;
  assert.deepEqual(
    [me.email, me.name, me.role, me.plan, me.credits, me.emailVerified, me.hasPassword],
    [email, 'Ada', 'user', 'free', { available: 30, held: 0 }, true, true],
  );
  const ledger = (await browser.get('/account/credits')).body;
  assert.deepEqual([ledger.entries.length, ledger.entries[0].note], [1, 'starting credits']);
});

test('a sign-up sent twice at once makes one account', async () => {
  const browser = new Browser(app);
  const email = 'twice@example.com';
  const answers = await Promise.all([1, 2, 3].map(() => browser.post('/account/auth/sign-up', { email })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202],
  );
  const { token } = await latestLiveMail(email);
  assert.equal((await verify(browser, token)).status, 200);
  assert.equal((await browser.post('/account/auth/sign-in', { email, password: PASSWORD })).status, 200);
});

test('whatever is asked for at once for one address, no kind has more links than may work and none waits for another', async () => {
  const stranger = new Browser(app);
  for (let round = 0; round < 12; round++) {
    await freshStart();
    const email = `hasty-${round % 3}@example.com`;
    const asked = ['sign-up', 'resend-verification', 'sign-up', 'resend-verification', 'request-reset'];
    await Promise.all(asked.map((path) => stranger.post(`/account/auth/${path}`, { email })));
    await app.deps.signIn.settled();
    const { rows } = await app.deps.database.pool.query<{ purpose: string }>(
      `select purpose from email_links l join accounts a on a.id = l.account_id where a.email = $1
       order by purpose desc`,
      [email],
    );
    const count = (wanted: string): number => rows.filter(({ purpose }) => purpose === wanted).length;
    assert.equal(count('verify'), 1);
    // In the first round of an address the reset may be asked for before there is an account.
    const resets = Math.floor(round / 3);
    assert(count('reset') <= 3 && count('reset') >= Math.min(3, resets), `${count('reset')} in ${round}`);
  }
  assert.deepEqual(app.laterFailures, []);
});

test('neither password nor tokens can be read in the database', async () => {
  const browser = await signedUp('secrets@example.com');
  await ask(browser, 'request-reset', 'secrets@example.com');
  const { token } = await latestMail(app, 'secrets@example.com');
  const bearer = (await browser.post('/account/token')).body.token as string;
  const session = decodeURIComponent(browser.cookie.split('=')[1]!).split('.')[0]!;
  assert(session.length >= 32);
  for (const table of ['passwords', 'sessions', 'email_links', 'api_keys', 'accounts']) {
    const { rows } = await app.deps.database.pool.query(`select t::text from ${table} t`);
    const all = rows.map((row) => row.t).join('\n');
    for (const secret of [PASSWORD, token, bearer, session]) assert(!all.includes(secret), table);
  }
});

test('answers say nothing about whether an address has an account', async () => {
  await freshStart();
  await signedUp('known@example.com');
  const stranger = new Browser(app);
  for (const [path, rest] of [
    ['sign-up', {}],
    ['request-reset', {}],
    ['resend-verification', {}],
    ['sign-in', { password: 'not the password' }],
  ] as const) {
    const known = await stranger.post(`/account/auth/${path}`, { email: 'known@example.com', ...rest });
    const unknown = await stranger.post(`/account/auth/${path}`, {
      email: `no-${path}@example.com`,
      ...rest,
    });
    assert.deepEqual([known.status, known.body], [unknown.status, unknown.body], path);
  }
  const mails = (await readOutbox(app)).filter(({ to }) => to === 'known@example.com');
  assert(mails.some(({ subject }) => subject === 'You already have an account'));
  assert(!(await readOutbox(app)).some(({ to }) => to === 'no-request-reset@example.com'));
});

for (const [order, first, second] of [
  ['before', 'thief', 'victim'],
  ['after', 'victim', 'thief'],
] as const) {
  test(`who signs up ${order} the owner of an address has nothing in their account, whichever mail is opened`, async () => {
    await freshStart();
    const email = `victim-${order}@example.com`;
    const thief = new Browser(app);
    const theirs = 'the password of a thief';
    for (const who of [first, second]) {
      // The old form: a password of one's own for any address.
      const typed = await thief.post('/account/auth/sign-up', { email, password: theirs, name: 'Thief' });
      assert.equal(typed.status, 400, who);
      assert.equal((await thief.post('/account/auth/sign-up', { email })).status, 202, who);
      await app.deps.signIn.settled();
    }
    await ask(thief, 'resend-verification', email);
    await ask(thief, 'request-reset', email);
    await app.deps.signIn.settled();
    const { rows: before } = await app.deps.database.pool.query(
      `select a.name, p.hash, (select count(*) from sessions s where s.account_id = a.id) as sessions
       from accounts a left join passwords p on p.account_id = a.id where email = $1`,
      [email],
    );
    assert.deepEqual(before, [{ name: '', hash: null, sessions: 0 }]);
    assert.equal((await thief.post('/account/auth/sign-in', { email, password: theirs })).status, 401);
    const { rows: links } = await app.deps.database.pool.query<{ purpose: string }>(
      'select l.purpose from email_links l join accounts a on a.id = l.account_id where a.email = $1 order by 1',
      [email],
    );
    assert.deepEqual(
      links.map(({ purpose }) => purpose),
      ['reset', 'verify'],
    );
    const mails = (await readOutbox(app)).filter(({ to }) => to === email);
    const answers = [];
    for (const { token } of mails) answers.push((await verify(new Browser(app), token)).status);
    // One verification link is alive, and the reset link is none.
    assert.deepEqual(answers.sort(), [200, 400, 400, 400]);
    assert.equal((await thief.post('/account/auth/sign-in', { email, password: theirs })).status, 401);
    const owner = new Browser(app);
    assert.equal((await owner.post('/account/auth/sign-in', { email, password: PASSWORD })).status, 200);
    const late = mails.map(({ token }) =>
      thief.post('/account/auth/reset-password', { token, newPassword: theirs }),
    );
    for (const answer of await Promise.all(late)) assert.equal(answer.status, 400);
    assert.equal((await owner.get('/account/me')).status, 200);
  });
}

test("an account whose address is not verified has no session: its operator's link opens none, and one made ends", async () => {
  const { pool } = app.deps.database;
  const browser = await signedUp('unsure@example.com');
  const { id } = (await browser.get('/account/me')).body;
  await pool.query('update accounts set email_verified_at = null where id = $1', [id]);
  assert.equal((await browser.get('/account/me')).status, 401);
  assert.equal((await browser.post('/account/token')).status, 401);
  const link = await createEmailLink(pool, 'http://guise.test', {
    accountId: id,
    purpose: 'sign-in',
    email: 'unsure@example.com',
  });
  const opened = await browser.post('/account/auth/sign-in-link', { token: link.split('#token=')[1] });
  assert.equal(opened.status, 401);
});

test('a reset sets the password once, ends every session and does not sign in', async () => {
  await freshStart();
  const email = 'forgetful@example.com';
  const browser = await signedUp(email);
  const visitor = new Browser(app);
  await ask(visitor, 'request-reset', email);
  const { token, subject } = await latestMail(app, email);
  assert.equal(subject, 'Set a new password');
  const short = await visitor.post('/account/auth/reset-password', { token, newPassword: 'short' });
  assert.equal(short.status, 400);
  const reset = { token, newPassword: 'another long password' };
  assert.equal((await visitor.post('/account/auth/reset-password', reset)).status, 200);
  assert.equal((await visitor.post('/account/auth/reset-password', reset)).status, 400);
  assert.equal(visitor.cookie, '');
  assert.equal((await browser.get('/account/me')).status, 401);
  const old = await visitor.post('/account/auth/sign-in', { email, password: PASSWORD });
  assert.equal(old.status, 401);
  const fresh = await visitor.post('/account/auth/sign-in', { email, password: reset.newPassword });
  assert.equal(fresh.status, 200);
});

test('an old link does nothing, and a link of one kind is none of another', async () => {
  await freshStart();
  const email = 'late@example.com';
  const browser = await signedUp(email);
  await ask(browser, 'request-reset', email);
  const { token } = await latestMail(app, email);
  assert.equal((await verify(browser, token)).status, 400);
  assert.equal((await browser.post('/account/auth/confirm-email', { token })).status, 400);
  assert.equal((await browser.post('/account/auth/sign-in-link', { token })).status, 401);
  await app.deps.database.pool.query('update email_links set expires_at = now()');
  const late = await browser.post('/account/auth/reset-password', { token, newPassword: PASSWORD });
  assert.equal(late.status, 400);
});

test('many wrong passwords are refused, the right one then too, and in another process as well', async () => {
  await freshStart();
  const email = 'throttled@example.com';
  await signedUp(email);
  await freshStart();
  const thief = new Browser(app);
  const wrong = { email, password: 'wrong password' };
  const tries = await Promise.all(
    Array.from({ length: 14 }, () => thief.post('/account/auth/sign-in', wrong)),
  );
  assert.deepEqual(
    [401, 429].map((status) => tries.filter((each) => each.status === status).length),
    [10, 4],
  );
  const refused = await thief.post('/account/auth/sign-in', { email, password: PASSWORD });
  assert.equal(refused.status, 429);
  assert.equal(refused.body.code, 'RATE_LIMITED');
  assert(refused.body.resetSeconds > 0 && refused.body.resetSeconds <= 900);
  assert.equal(refused.headers.get('retry-after'), String(refused.body.resetSeconds));
  // Nobody else is locked out.
  assert.equal((await thief.post('/account/auth/sign-in', { ...wrong, email: 'x@example.com' })).status, 401);
  await app.deps.database.pool.query(`update sign_in_attempts set started_at = now() - interval '16 min'`);
  const again = await thief.post('/account/auth/sign-in', { email, password: PASSWORD });
  assert.equal(again.status, 200);
});

test('sessions are listed, and one that is revoked ends at once with its tokens', async () => {
  await freshStart();
  const email = 'sessions@example.com';
  const desk = await signedUp(email);
  const phone = new Browser(app);
  assert.equal((await phone.post('/account/auth/sign-in', { email, password: PASSWORD })).status, 200);
  const { token } = (await phone.post('/account/token')).body;
  const ask = () => fetch(`${app.url}/api/ai-tasks`, { headers: { authorization: `Bearer ${token}` } });
  // 400: admitted, and told that a taskId is missing.
  assert.equal((await ask()).status, 400);
  const { sessions } = (await desk.get('/account/auth/sessions')).body;
  assert.equal(sessions.length, 2);
  const other = sessions.find((each: { current: boolean }) => !each.current);
  const stranger = await signedUp('other-sessions@example.com');
  assert.equal((await stranger.delete(`/account/auth/sessions/${other.id}`)).status, 404);
  assert.equal((await desk.delete(`/account/auth/sessions/${other.id}`)).status, 200);
  assert.equal((await phone.get('/account/me')).status, 401);
  assert.equal((await ask()).status, 401);
  assert.equal((await desk.get('/account/me')).status, 200);
  const copy = desk.cookie;
  assert.equal((await desk.post('/account/auth/sign-out')).status, 200);
  assert.equal(desk.cookie, '');
  desk.cookie = copy;
  assert.equal((await desk.get('/account/me')).status, 401);
});

test('a changed password ends the other sessions and needs the current one', async () => {
  await freshStart();
  const email = 'change@example.com';
  const desk = await signedUp(email);
  const phone = new Browser(app);
  assert.equal((await phone.post('/account/auth/sign-in', { email, password: PASSWORD })).status, 200);
  const change = (currentPassword?: string) =>
    desk.post('/account/auth/change-password', { currentPassword, newPassword: 'yet another password' });
  assert.equal((await change()).status, 400);
  assert.equal((await change('wrong')).status, 400);
  assert.equal((await change(PASSWORD)).status, 200);
  assert.equal((await phone.get('/account/me')).status, 401);
  assert.equal((await desk.get('/account/me')).status, 200);
});

test('the address changes when the link at the new one is followed; the old one is told', async () => {
  await freshStart();
  const desk = await signedUp('before@example.com');
  await signedUp('taken@example.com');
  const move = (newEmail: string, password = PASSWORD) =>
    desk.post('/account/auth/change-email', { newEmail, password });
  assert.equal((await move('after@example.com', 'wrong')).status, 400);
  const taken = await move('taken@example.com');
  const free = await move('after@example.com');
  assert.deepEqual([taken.status, taken.body], [free.status, free.body]);
  assert.equal((await latestMail(app, 'taken@example.com')).subject, 'You already have an account');
  const { token } = await latestMail(app, 'after@example.com');
  assert.equal((await desk.get('/account/me')).body.email, 'before@example.com');
  // The mailbox alone gives its address to nobody's account: not without a session, not with
  // another's.
  const confirm = (browser: Browser) => browser.post('/account/auth/confirm-email', { token });
  assert.equal((await confirm(new Browser(app))).status, 401);
  assert.equal((await confirm(await signedUp('bystander@example.com'))).status, 400);
  assert.equal((await desk.get('/account/me')).body.email, 'before@example.com');
  assert.equal((await confirm(desk)).status, 200);
  assert.equal((await confirm(desk)).status, 400);
  assert.equal((await desk.get('/account/me')).body.email, 'after@example.com');
  assert.match((await latestMail(app, 'before@example.com')).raw, /after@example\.com/);
});

test('pages of other sites can neither change nor read anything', async () => {
  await freshStart();
  const browser = await signedUp('csrf@example.com');
  const post = (headers: Record<string, string>) =>
    browser.send('POST', '/account/keys', { name: 'stolen' }, headers);
  const foreign: Record<string, string>[] = [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://guise.test.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ];
  for (const headers of foreign) {
    const refused = await post(headers);
    assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN'], JSON.stringify(headers));
  }
  const read = await browser.send('GET', '/account/me', undefined, { 'sec-fetch-site': 'cross-site' });
  assert.equal(read.status, 403);
  assert.equal(read.headers.get('access-control-allow-origin'), null);
  const bare = await fetch(`${app.url}/account/keys`, {
    method: 'POST',
    headers: { cookie: browser.cookie, 'content-type': 'application/json' },
    body: '{"name":"no origin"}',
  });
  assert.equal(bare.status, 403);
  const form = await browser.send('POST', '/account/keys', { name: 'x' }, { 'content-type': 'text/plain' });
  assert.equal(form.status, 400);
  assert.deepEqual((await browser.get('/account/keys')).body, { keys: [] });
});

test('the verification mail comes through a real SMTP server', async () => {
  const received = Promise.withResolvers<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.resolve(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const mailing = await startTestApp({
    GUISE_SIGN_UP: 'open',
    GUISE_SMTP_URL: `smtp://127.0.0.1:${port}`,
    GUISE_MAIL_FROM: 'guise@example.com',
  });
  try {
    const visitor = new Browser(mailing);
    const person = { email: 'mailed@example.com', password: PASSWORD };
    assert.equal((await visitor.post('/account/auth/sign-up', { email: person.email })).status, 202);
    const { to, token } = parseMail(await received.promise);
    assert.equal(to, 'mailed@example.com');
    assert.equal((await verify(visitor, token)).status, 200);
    assert.equal((await visitor.post('/account/auth/sign-in', person)).status, 200);
    assert.deepEqual(mailing.laterFailures, []);
  } finally {
    await mailing.close();
    const closed = once(server, 'close');
    server.close();
    await closed;
  }
});

test('a service that is closed makes no account, with an invitation neither', async () => {
  const closed = await startTestApp({ GUISE_SIGN_UP: 'closed' });
  try {
    const visitor = new Browser(closed);
    assert.equal((await visitor.get('/account/auth/config')).body.signUp, 'closed');
    const person = { email: 'late@example.com', invitation: 'x'.repeat(43) };
    const refused = await visitor.post('/account/auth/sign-up', person);
    assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN']);
    await closed.deps.signIn.settled();
    const { rowCount } = await closed.deps.database.pool.query('select 1 from accounts');
    assert.equal(rowCount, 0);
  } finally {
    await closed.close();
  }
});

test('hostile bodies are refused in one shape', async () => {
  const browser = new Browser(app);
  const send = (body: string) =>
    fetch(`${app.url}/account/auth/sign-in`, {
      method: 'POST',
      headers: { origin: 'http://guise.test', 'content-type': 'application/json' },
      body,
    });
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    '{"email":1,"password":"x"}',
    '{"email":"a@example.com"}',
    '{"email":"a@example.com","password":"x","admin":true}',
    '{"email":"a\\u0000@example.com","password":"x"}',
    '{"email":"a@example.com","password":"x\\ud800"}',
    '{"email":"a@example.com","password":"x","__proto__":{"admin":true}}',
    '{"email":{"$ne":1},"password":["x"]}',
    `{"email":"a@example.com","password":"${'x'.repeat(20_000)}"}`,
    `{"email":"a@example.com","password":"${'x'.repeat(200)}"}`,
  ]) {
    const answer = await send(body);
    const { error, code } = (await answer.json()) as { error: string; code: string };
    assert.deepEqual([answer.status, code], [400, 'INVALID_REQUEST'], body.slice(0, 60));
    assert.equal(typeof error, 'string');
  }
  for (const cookie of [
    'guise.session_token=x.y',
    'guise.session_token=%E0%A4%A.x',
    `guise.session_token=${'a'.repeat(4000)}`,
    '=;;=\\',
  ]) {
    assert.equal((await browser.send('GET', '/account/me', undefined, { cookie })).status, 401);
  }
});

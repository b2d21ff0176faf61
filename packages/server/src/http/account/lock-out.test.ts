/** What strangers cannot take from an account's person by guessing, and by asking for mail. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { createAccount } from '../../accounts/create-account.ts';
import { createEmailLink } from '../../sign-in/email-links.ts';
import { type Answer, Browser, type ReadMail, readOutbox } from '../testing/browser.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

const PASSWORD = 'correct horse battery';
const WRONG = 'wrong horse battery';
const PAGES = 'http://guise.test';
const HOME = '2001:db8:aaaa:1::7';
const AWAY = '2001:db8:bbbb:1::7';

let app: TestApp;
let people = 0;
before(async () => {
  app = await startTestApp({
    GUISE_SIGN_UP: 'open',
    GUISE_PUBLIC_URL: PAGES,
    GUISE_TRUSTED_PROXIES: '127.0.0.1',
  });
});
beforeEach(() => app.deps.database.pool.query('delete from sign_in_attempts'));
after(async () => {
  await app.close();
  assert.deepEqual(app.laterFailures, []);
});

const post = (browser: Browser, address: string, path: string, body: object): Promise<Answer> =>
  browser.send('POST', `/account/auth/${path}`, body, { 'x-forwarded-for': address });

const signIn = (browser: Browser, address: string, email: string, password = PASSWORD): Promise<Answer> =>
  post(browser, address, 'sign-in', { email, password });

/** Signed in at home, with a password. */
async function person(): Promise<{ id: string; email: string; browser: Browser }> {
  const email = `person-${people++}@example.com`;
  const account = { email, plan: 'free', emailVerified: true, startingCredits: 0 } as const;
  const { database } = app.deps;
  const { id } = await createAccount(database, account);
  const to = { accountId: id, purpose: 'reset', email } as const;
  const token = (await createEmailLink(database.pool, PAGES, to)).split('#token=')[1]!;
  const browser = new Browser(app);
  const reset = { token, newPassword: PASSWORD };
  assert.equal((await post(browser, HOME, 'reset-password', reset)).status, 200);
  assert.equal((await signIn(browser, HOME, email)).status, 200);
  return { id, email, browser };
}

/** What the guesses of `guessFromEverywhere` leave in the table, and the address they were for. */
let counted: { readonly email: string; readonly rows: readonly unknown[] } | null = null;

/**
 * Wrong passwords from ten /48s, ten each: as many as an account takes from strangers. Each guess
 * costs a hash: so the first of a /48 counts as nine, only the first account is really guessed at,
 * and for others its counts are copied.
 */
async function guessFromEverywhere(email: string): Promise<void> {
  const { pool } = app.deps.database;
  if (counted === null) {
    const guessFromEach = async (): Promise<void> => {
      for (let site = 0; site < 10; site++)
        assert.equal((await signIn(new Browser(app), `2001:db8:${site}::1`, email, WRONG)).status, 401);
    };
    await pool.query('delete from sign_in_attempts');
    await guessFromEach();
    await pool.query('update sign_in_attempts set attempts = attempts * 9');
    await guessFromEach();
    const { rows } = await pool.query<Record<string, unknown>>('select * from sign_in_attempts');
    counted = { email, rows };
  } else {
    await pool.query('delete from sign_in_attempts');
    await pool.query(
      `insert into sign_in_attempts
       select bucket, replace(subject, $2, $3), started_at, attempts
       from jsonb_populate_recordset(null::sign_in_attempts, $1)`,
      [JSON.stringify(counted.rows), counted.email, email],
    );
  }
  assert.equal((await signIn(new Browser(app), '2001:db8:cccc::1', email, WRONG)).status, 429);
}

test('while strangers guess from many networks an owner signs in where they did before, and on their device', async () => {
  const { email, browser } = await person();
  await guessFromEverywhere(email);
  assert.equal((await signIn(new Browser(app), HOME, email)).status, 200);
  const device = new Browser(app);
  device.device = browser.device;
  assert.equal((await signIn(device, AWAY, email)).status, 200);
});

test('an owner who is locked out at a new place gets in by a reset link', async () => {
  const { email, browser } = await person();
  await guessFromEverywhere(email);
  const elsewhere = '2001:db8:dddd:1::7';
  assert.equal((await signIn(new Browser(app), elsewhere, email)).status, 429);
  assert.equal((await post(new Browser(app), elsewhere, 'request-reset', { email })).status, 202);
  const [{ token }] = (await resetMails(email)) as [ReadMail];
  const reset = { token, newPassword: 'another long password' };
  assert.equal((await post(new Browser(app), elsewhere, 'reset-password', reset)).status, 200);
  assert.equal((await signIn(new Browser(app), elsewhere, email, reset.newPassword)).status, 200);
  // The networks and devices of before are strangers' again.
  assert.equal((await signIn(browser, HOME, email, reset.newPassword)).status, 429);
});

test('a stolen device guesses ten times from wherever it is, and keeps nobody else out', async () => {
  const { email, browser } = await person();
  const guesses: number[] = [];
  for (let n = 0; n < 12; n++) {
    const thief = new Browser(app);
    thief.device = browser.device;
    guesses.push((await signIn(thief, `2001:db8:${n}::1`, email, WRONG)).status);
  }
  assert.deepEqual(guesses, [...Array(10).fill(401), 429, 429]);
  assert.equal((await signIn(new Browser(app), HOME, email)).status, 200);
});

test("a device of one account is a stranger's to another, and its cookie is not taken over", async () => {
  const [one, two] = [await person(), await person()];
  await guessFromEverywhere(two.email);
  const shared = new Browser(app);
  shared.device = one.browser.device;
  assert.equal((await signIn(shared, AWAY, two.email)).status, 429);
  assert.equal((await signIn(shared, HOME, two.email)).status, 200);
  assert.notEqual(shared.device, one.browser.device);
  assert.equal((await signIn(shared, AWAY, two.email)).status, 200);
});

test('all strangers together have a limit, alike for addresses with and without an account', async () => {
  const { email } = await person();
  await app.deps.database.pool.query(
    `insert into sign_in_attempts (bucket, subject, started_at, attempts)
     values ('sign-in:strangers', 'all', now(), 2998)`,
  );
  const stranger = new Browser(app);
  const tried: number[] = [];
  for (const who of [email, 'nobody@example.com', email, 'nobody@example.com'])
    tried.push((await signIn(stranger, AWAY, who, WRONG)).status);
  assert.deepEqual(tried, [401, 401, 429, 429]);
  assert.equal((await signIn(new Browser(app), HOME, email)).status, 200);
});

async function guessLink(network: string): Promise<number> {
  const token = randomBytes(32).toString('base64url');
  return (await post(new Browser(app), `2001:db8:5:${network}::1`, 'sign-in-link', { token })).status;
}

test('who has many /64s is counted by their /56 and /48 too', async () => {
  const fill = async (network: string): Promise<void> => {
    for (let n = 0; n < 60; n++) assert.equal(await guessLink(network), 401);
  };
  await fill('100');
  assert.equal(await guessLink('100'), 429);
  await fill('101');
  assert.equal(await guessLink('102'), 429);
  await fill('200');
  await fill('300');
  assert.equal(await guessLink('400'), 429);
});

async function resetMails(email: string): Promise<ReadMail[]> {
  const mails = await readOutbox(app);
  return mails.filter(({ to, subject }) => to === email && subject === 'Set a new password');
}

async function follow({ token }: ReadMail, newPassword = 'another long password'): Promise<number> {
  return (await post(new Browser(app), HOME, 'reset-password', { token, newPassword })).status;
}

test('three reset links work side by side, however many are asked for; the first one used ends them all', async () => {
  const { email } = await person();
  const ask = async (n: number): Promise<unknown> => {
    const { status, body } = await post(new Browser(app), `2001:db8:${n}::1`, 'request-reset', { email });
    await app.deps.signIn.settled();
    return [status, body];
  };
  // Whether a mail was sent or not, the answer is the same.
  for (let n = 0; n < 8; n++) assert.deepEqual(await ask(n), [202, { done: true }]);
  const mails = await resetMails(email);
  assert.equal(mails.length, 3);
  assert.equal(await follow(mails[0]!), 200);
  for (const mail of mails) assert.equal(await follow(mail), 400);
  await ask(9);
  assert.equal((await resetMails(email)).length, 4);
});

test("of an account's reset links that are followed at once one sets the password", async () => {
  const { id, email } = await person();
  const { pool } = app.deps.database;
  const links = [];
  for (let n = 0; n < 3; n++) {
    const link = await createEmailLink(pool, PAGES, { accountId: id, purpose: 'reset', email });
    links.push(link.split('#token=')[1]!);
  }
  const answers = await Promise.all(
    links.map((token, n) =>
      post(new Browser(app), HOME, 'reset-password', { token, newPassword: `long password ${n}` }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
  const winner = answers.findIndex(({ status }) => status === 200);
  assert.equal((await signIn(new Browser(app), HOME, email, `long password ${winner}`)).status, 200);
});

test("strangers' mails to an address, and links that ended, leave its owner a reset mail", async () => {
  const { email } = await person();
  for (let n = 0; n < 8; n++) {
    assert.equal((await post(new Browser(app), `2001:db8:${n}::1`, 'sign-up', { email })).status, 202);
    assert.equal((await post(new Browser(app), `2001:db8:${n}::1`, 'request-reset', { email })).status, 202);
  }
  const mails = (await readOutbox(app)).filter(({ to }) => to === email);
  const existing = mails.filter(({ subject }) => subject === 'You already have an account');
  assert.deepEqual([existing.length, (await resetMails(email)).length], [5, 3]);
  await app.deps.database.pool.query('update email_links set expires_at = now()');
  await post(new Browser(app), HOME, 'request-reset', { email });
  assert.equal((await resetMails(email)).length, 4);
});

test('one network has a limit for all mails, which no answer shows', async () => {
  const asked: Answer[] = [];
  for (let n = 0; n < 22; n++)
    asked.push(await post(new Browser(app), AWAY, 'sign-up', { email: `flood-${n}@example.com` }));
  for (const { status, body } of asked) assert.deepEqual([status, body], [202, { done: true }]);
  assert.equal((await readOutbox(app)).filter(({ to }) => to.startsWith('flood-')).length, 20);
});

/** Password hashes are costly: what they may take from everybody else. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, beforeEach, test } from 'node:test';
import type { AppError } from '@guise/contract/errors.ts';
import { createAccount } from '../../accounts/create-account.ts';
import { createEmailLink, type LinkPurpose } from '../../sign-in/email-links.ts';
import { type HashAsker, MAX_WAITING_HASHES, MAX_RUNNING_HASHES } from '../../sign-in/hash-gate.ts';
import { type Answer, Browser } from '../testing/browser.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { newStorageKey } from '../../storage/storage.ts';

const PASSWORD = 'correct horse battery';
const URL_OF_PAGES = 'http://guise.test';
const SIGN_INS = 40;

let app: TestApp;
before(async () => {
  app = await startTestApp({ GUISE_SIGN_UP: 'open', GUISE_PUBLIC_URL: URL_OF_PAGES });
});
beforeEach(() => app.deps.database.pool.query('delete from sign_in_attempts'));
after(() => app.close());

/** Hashes without a pause, `count` in line, until stopped; one that finds no place left leaves. */
function keepHashing(count: number, asker: HashAsker): () => Promise<void> {
  const over = new AbortController();
  const all = Array.from({ length: count }, async () => {
    try {
      while (!over.signal.aborted) await app.deps.signIn.passwords.hash(PASSWORD, asker);
    } catch (error) {
      assert.equal((error as AppError).code, 'RATE_LIMITED');
    }
  });
  return async () => {
    over.abort();
    await Promise.all(all);
  };
}

async function storedFile(): Promise<string> {
  const { storage, links } = app.deps;
  const scratch = storage.scratch.newPath('png');
  await writeFile(scratch, 'the bytes of a picture');
  const key = newStorageKey('output', 'png');
  await storage.put(key, scratch);
  const { pathname, search } = new URL(links.sign(key, new Date(Date.now() + 3_600_000)));
  return app.url + pathname + search;
}

test('a file is answered while 40 sign-ins come at once: a few of them wait, the others are refused', async () => {
  const file = await storedFile();
  // As many again wait, so that no sign-in begins before this ends.
  const stop = keepHashing(2 * MAX_RUNNING_HASHES, 'known');
  const answers: Answer[] = [];
  const refused = Promise.withResolvers<void>();
  const all = Array.from({ length: SIGN_INS }, async (_, n) => {
    const person = { email: `nobody-${n}@example.com`, password: PASSWORD };
    answers.push(await new Browser(app).post('/account/auth/sign-in', person));
    if (answers.length === SIGN_INS - MAX_WAITING_HASHES) refused.resolve();
  });
  await refused.promise;
  const { status, headers } = await fetch(file, { method: 'HEAD' });
  assert.deepEqual([status, headers.get('content-length')], [200, '22']);
  assert.equal(answers.length, SIGN_INS - MAX_WAITING_HASHES);
  for (const answer of answers) {
    assert.deepEqual([answer.status, answer.body.code], [429, 'RATE_LIMITED']);
    assert.equal(answer.headers.get('retry-after'), String(answer.body.resetSeconds));
  }
  await stop();
  await Promise.all(all);
  assert.deepEqual(
    answers.slice(SIGN_INS - MAX_WAITING_HASHES).map((answer) => answer.status),
    Array(MAX_WAITING_HASHES).fill(401),
  );
});

test('everything that hashes a password waits in line, and is refused where the line is full', async () => {
  const { database } = app.deps;
  const account = { email: 'owner@example.com', plan: 'free', emailVerified: true } as const;
  const { id } = await createAccount(database, { ...account, startingCredits: 0 });
  const { email } = account;
  const browser = new Browser(app);
  const linkFor = async (purpose: LinkPurpose): Promise<string> =>
    (await createEmailLink(database.pool, URL_OF_PAGES, { accountId: id, purpose, email })).split('=')[1]!;
  const reset = async (): Promise<number> => {
    const body = { token: await linkFor('reset'), newPassword: PASSWORD };
    return (await browser.post('/account/auth/reset-password', body)).status;
  };
  assert.equal(await reset(), 200);
  const signIn = (who: Browser): Promise<Answer> =>
    who.post('/account/auth/sign-in', { email, password: PASSWORD });
  assert.equal((await signIn(browser)).status, 200);
  const token = await linkFor('verify');
  const full = MAX_RUNNING_HASHES + MAX_WAITING_HASHES;
  const stop = keepHashing(full, 'known');
  const everything: Record<string, () => Promise<Answer>> = {
    'sign-in': () => signIn(browser),
    verify: () => browser.post('/account/auth/verify-email', { token, newPassword: PASSWORD }),
    change: () =>
      browser.post('/account/auth/change-password', {
        currentPassword: PASSWORD,
        newPassword: `${PASSWORD}!`,
      }),
    'change of address': () =>
      browser.post('/account/auth/change-email', { newEmail: 'new@example.com', password: PASSWORD }),
    deletion: () => browser.delete('/account/me', { email, password: PASSWORD }),
  };
  for (const [what, ask] of Object.entries(everything)) assert.equal((await ask()).status, 429, what);
  assert.equal(await reset(), 429);
  await stop();
  // Nothing was lost by it: what was refused works now.
  assert.equal((await everything.verify!()).status, 200);
  assert.equal((await signIn(browser)).status, 200);
});

test("strangers' full line leaves a signed-in person's password change its own place", async () => {
  const { database } = app.deps;
  const account = { email: 'calm@example.com', plan: 'free', emailVerified: true } as const;
  const { id } = await createAccount(database, { ...account, startingCredits: 0 });
  const to = { accountId: id, purpose: 'sign-in', email: account.email } as const;
  const token = (await createEmailLink(database.pool, URL_OF_PAGES, to)).split('=')[1];
  const browser = new Browser(app);
  assert.equal((await browser.post('/account/auth/sign-in-link', { token })).status, 200);
  const stop = keepHashing(MAX_RUNNING_HASHES + MAX_WAITING_HASHES, 'stranger');
  const stranger = { email: 'nobody@example.com', password: PASSWORD };
  assert.equal((await new Browser(app).post('/account/auth/sign-in', stranger)).status, 429);
  const change = { newPassword: PASSWORD };
  assert.equal((await browser.post('/account/auth/change-password', change)).status, 200);
  await stop();
});

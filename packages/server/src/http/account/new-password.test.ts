import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccount } from '../../accounts/create-account.ts';
import { createEmailLink } from '../../sign-in/email-links.ts';
import { type Answer, Browser, type ReadMail, readOutbox } from '../testing/browser.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

const PASSWORD = 'correct horse battery';
const PAGES = 'http://guise.test';
const EMAIL = 'ada.lovelace@example.com';

let app: TestApp;
let id: string;
before(async () => {
  app = await startTestApp({ GUISE_SIGN_UP: 'open', GUISE_PUBLIC_URL: PAGES });
  const account = { email: EMAIL, plan: 'free', emailVerified: true, startingCredits: 0 } as const;
  ({ id } = await createAccount(app.deps.database, account));
});
after(async () => {
  await app.close();
  assert.deepEqual(app.laterFailures, []);
});

async function resetToken(): Promise<string> {
  const to = { accountId: id, purpose: 'reset', email: EMAIL } as const;
  return (await createEmailLink(app.deps.database.pool, PAGES, to)).split('#token=')[1]!;
}

async function notices(): Promise<ReadMail[]> {
  return (await readOutbox(app)).filter(({ subject }) => subject === 'Your password was changed');
}

test('a new password is neither the own address nor a most common one, and its field is named', async () => {
  const browser = new Browser(app);
  const token = await resetToken();
  const reset = (newPassword: string): Promise<Answer> =>
    browser.post('/account/auth/reset-password', { token, newPassword });
  const change = (newPassword: string): Promise<Answer> =>
    browser.post('/account/auth/change-password', { currentPassword: PASSWORD, newPassword });
  const weak = [
    EMAIL,
    ' Ada.Lovelace@Example.com',
    'ADA.LOVELACE',
    'Password123',
    'qwertyuiop',
    '1234567890',
  ];
  const refuses = async (set: (newPassword: string) => Promise<Answer>): Promise<void> => {
    for (const newPassword of weak) {
      const { status, body } = await set(newPassword);
      assert.deepEqual([status, body.code], [400, 'INVALID_REQUEST'], newPassword);
      assert.match(body.error, /^newPassword /);
    }
  };
  await refuses(reset);
  // The link was not used up by them.
  assert.equal((await reset(PASSWORD)).status, 200);
  const person = { email: EMAIL, password: PASSWORD };
  assert.equal((await browser.post('/account/auth/sign-in', person)).status, 200);
  await refuses(change);
  assert.equal((await browser.post('/account/auth/sign-in', person)).status, 200);
});

test('the address is written to when its password was reset or changed, and only then', async () => {
  const before = (await notices()).length;
  const browser = new Browser(app);
  const body = { token: await resetToken(), newPassword: PASSWORD };
  assert.equal((await browser.post('/account/auth/reset-password', body)).status, 200);
  assert.equal((await notices()).length, before + 1);
  assert.equal((await browser.post('/account/auth/reset-password', body)).status, 400);
  assert.equal(
    (await browser.post('/account/auth/sign-in', { email: EMAIL, password: PASSWORD })).status,
    200,
  );
  const change = (currentPassword: string): Promise<Answer> =>
    browser.post('/account/auth/change-password', { currentPassword, newPassword: 'another long password' });
  assert.equal((await change('not my password')).status, 400);
  assert.equal((await notices()).length, before + 1);
  assert.equal((await change(PASSWORD)).status, 200);
  const { to, raw } = (await notices()).at(-1)!;
  assert.equal((await notices()).length, before + 2);
  assert.equal(to, EMAIL);
  assert.match(raw, /If this was not you/);
  assert.match(raw, /http:\/\/guise\.test\/forgot-password/);
});

test('a first password, chosen where a verification mail led, is no change', async () => {
  const browser = new Browser(app);
  const email = 'new@example.com';
  assert.equal((await browser.post('/account/auth/sign-up', { email })).status, 202);
  const { token } = (await readOutbox(app)).find(({ to }) => to === email)!;
  const weak = await browser.post('/account/auth/verify-email', { token, newPassword: email });
  assert.deepEqual([weak.status, weak.body.error.split(' ')[0]], [400, 'newPassword']);
  const chosen = { token, newPassword: PASSWORD };
  assert.equal((await browser.post('/account/auth/verify-email', chosen)).status, 200);
  assert(!(await notices()).some(({ to }) => to === email));
});

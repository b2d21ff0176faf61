import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createAccount } from '../accounts/create-account.ts';
import { loadConfig } from '../config/config.ts';
import { type InstallationSecrets, openInstallationSecrets } from '../db/installation-secrets.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { createSessions, type Sessions, type Visitor } from '../sign-in/sessions.ts';
import { createFileLinks, type FileLinks, type LinkState } from '../storage/file-links.ts';
import { listKeys } from './list-keys.ts';
import { rotateKey } from './rotate-key.ts';

/** What an API process knows and does with it. */
interface Machine {
  readonly secrets: InstallationSecrets;
  readonly links: FileLinks;
  readonly sessions: Sessions;
}

const PUBLIC_URL = 'https://guise.example';
const HOUR_MS = 3_600_000;

let t: TestDatabase;
let a: Machine;
let b: Machine;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await t.db.pool.query('delete from installation_secrets');
  [a, b] = await Promise.all([machine(), machine()]);
});
afterEach(() => {
  for (const { secrets } of [a, b]) secrets.close();
});

async function machine(): Promise<Machine> {
  const secrets = await openInstallationSecrets({ pool: t.db.pool, onError: assert.ifError });
  return {
    secrets,
    links: createFileLinks(secrets['file-links'], PUBLIC_URL),
    sessions: createSessions({ db: t.db, secrets: secrets['sign-in'], publicUrl: PUBLIC_URL }),
  };
}

const EXPIRES_AT = new Date(Date.now() + HOUR_MS);

const sign = ({ links }: Machine): string => links.sign('out/ab/picture.png', EXPIRES_AT);

function check({ links }: Machine, link: string): LinkState {
  const query = new URL(link).searchParams;
  return links.check('out/ab/picture.png', query.get('expires')!, query.get('signature')!);
}

const cookieOf = (set: readonly string[]): string => set[0]!.split(';')[0]!;

/** Lets time pass, for what was rotated so far. */
async function pass(interval: string): Promise<void> {
  await t.db.pool.query('update installation_secrets set signs_from = signs_from - $1::interval', [interval]);
  await t.db.pool.query(
    'update former_secrets set signs_from = signs_from - $1::interval, checks_until = checks_until - $1::interval',
    [interval],
  );
}

test('machines that start at once on an empty database sign alike', () => {
  assert.equal(sign(a), sign(b));
});

test('no link is refused by any machine during a rotation, in whatever order they notice', async () => {
  const before = sign(a);
  await rotateKey(t.db.pool, 'file-links', false);
  await a.secrets.refresh();
  assert.equal(sign(a), before, 'the machine that knows the new key does not sign with it yet');
  await b.secrets.refresh();
  await pass('61 seconds');
  await a.secrets.refresh();
  const later = sign(a);
  assert.notEqual(later, before);
  assert.equal(sign(b), before, 'this one looks again within 20 seconds');
  for (const each of [a, b]) assert.deepEqual([check(each, before), check(each, later)], ['good', 'good']);
  await b.secrets.refresh();
  assert.equal(sign(b), later);
});

test('a link given out before works for its day, and the key that signed it no longer', async () => {
  const before = sign(a);
  await rotateKey(t.db.pool, 'file-links', false);
  await pass('1 day');
  await rotateKey(t.db.pool, 'file-links', false);
  await b.secrets.refresh();
  assert.equal(check(b, before), 'good', 'after a second rotation too');
  await pass('2 minutes');
  await Promise.all([a.secrets.refresh(), b.secrets.refresh()]);
  for (const each of [a, b]) assert.equal(check(each, before), 'bad');
  assert.equal(sign(a), sign(b));
  assert.equal(check(b, sign(a)), 'good');
});

test('an urgent rotation ends what was given out, by older keys too', async () => {
  const first = sign(a);
  await rotateKey(t.db.pool, 'file-links', false);
  await pass('2 minutes');
  await a.secrets.refresh();
  const second = sign(a);
  assert.deepEqual((await rotateKey(t.db.pool, 'file-links', true)).formerUntil, null);
  await Promise.all([a.secrets.refresh(), b.secrets.refresh()]);
  for (const each of [a, b]) assert.deepEqual([check(each, first), check(each, second)], ['bad', 'bad']);
  assert.equal(check(b, sign(a)), 'good');
});

test('rotations at once leave one key that all machines sign with', async () => {
  await Promise.all([1, 2, 3].map(() => rotateKey(t.db.pool, 'file-links', false)));
  await pass('61 seconds');
  await Promise.all([a.secrets.refresh(), b.secrets.refresh()]);
  assert.equal(sign(a), sign(b));
  const { rows } = await t.db.pool.query('select count(*)::int as former from former_secrets');
  assert.deepEqual(rows, [{ former: 3 }]);
});

test('people stay signed in through a rotation, are signed again when next prolonged, and out by an urgent one', async () => {
  const { id } = await createAccount(t.db, {
    email: 'rotated@example.com',
    plan: 'free',
    emailVerified: true,
    startingCredits: 0,
  });
  const stranger: Visitor = { address: '203.0.113.1', userAgent: 'test', cookie: '' };
  const by = (cookie: string): Visitor => ({ ...stranger, cookie });
  const found = async (each: Machine, cookie: string): Promise<string | undefined> =>
    (await each.sessions.find(by(cookie)))?.session.accountId;
  const old = cookieOf(await a.sessions.open(id, stranger));
  await rotateKey(t.db.pool, 'sign-in', false);
  await pass('61 seconds');
  await a.secrets.refresh();
  for (const each of [a, b]) assert.equal(await found(each, old), id);
  await b.secrets.refresh();

  await t.db.pool.query(
    "update sessions set updated_at = now() - interval '2 days', expires_at = now() + interval '12 days'",
  );
  const { cookies } = (await b.sessions.find(by(old)))!;
  const renewed = cookieOf(cookies);
  assert.notEqual(renewed, old);
  await pass('15 days');
  await Promise.all([a.secrets.refresh(), b.secrets.refresh()]);
  assert.equal(await found(a, renewed), id);
  assert.equal(await found(a, old), undefined);
  assert.equal(await found(a, `${renewed.slice(0, -8)}AAAAA%3D`), undefined);

  await rotateKey(t.db.pool, 'sign-in', true);
  await a.secrets.refresh();
  assert.equal(await found(a, renewed), undefined);
  const anew = cookieOf(await a.sessions.open(id, stranger));
  assert.equal(await found(a, anew), id);
  await a.sessions.close(by(anew));
  assert.equal(await found(a, anew), undefined);
});

test('the list names every key and says what rotates it, and shows none', async () => {
  await rotateKey(t.db.pool, 'file-links', false);
  const config = loadConfig({
    DATABASE_URL: 'postgres://u:hidden-word@db/x',
    GUISE_OPERATOR_TOKEN: 'hidden-word',
    GUISE_PREVIOUS_OPERATOR_TOKEN: 'hidden-word',
    GUISE_ENCRYPTION_KEY: 'hidden-word'.repeat(3),
    GUISE_SMTP_URL: 'smtps://u:hidden-word@mail.example',
  });
  const keys = await listKeys(config, t.db.pool);
  assert.deepEqual(
    keys.map(({ name }) => name),
    [
      'file-links',
      'sign-in',
      'known-places',
      'signing',
      'GUISE_ENCRYPTION_KEY',
      'GUISE_OPERATOR_TOKEN',
      'GUISE_PREVIOUS_OPERATOR_TOKEN',
      'GUISE_SMTP_URL',
      'DATABASE_URL',
    ],
  );
  assert.deepEqual(
    keys.filter(({ formerUntil }) => formerUntil !== null).map(({ name }) => name),
    ['file-links'],
  );
  assert.doesNotMatch(JSON.stringify(keys), /hidden-word/);
});

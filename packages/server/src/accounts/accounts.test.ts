import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { COMMAND_LINE } from '../operator/audit.ts';
import { changeCredits } from '../operator/change-account.ts';
import { checkLedger } from '../credits/check-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { inTransaction } from '../db/transaction.ts';
import { createApiKey, hashApiKey, listApiKeys } from './api-keys.ts';
import { createAccount, type NewAccount } from './create-account.ts';
import { normaliseEmail } from './email.ts';
import { findAccountByEmail, findOwner } from './find-account.ts';
import { markVerified } from './verify-email.ts';
import { readWebhookSecret } from './webhook-secret.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const NEW: NewAccount = { email: 'a@example.com', plan: 'free', emailVerified: true, startingCredits: 30 };

test('a verified account starts with its credits, in the ledger', async () => {
  const account = await createAccount(t.db, { ...NEW, email: ' Ada@Example.COM ', name: 'Ada' });
  assert.equal(account.email, 'ada@example.com');
  assert.equal(account.creditsAvailable, 30);
  assert.deepEqual(await findAccountByEmail(t.db, 'ADA@example.com'), account);
  assert.match(await readWebhookSecret(t.db, account.id), /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(await checkLedger(t.db), []);
});

test('one email has one account, whatever its case, even when made twice at once', async () => {
  const twice = await Promise.allSettled([
    createAccount(t.db, { ...NEW, email: 'twin@example.com' }),
    createAccount(t.db, { ...NEW, email: 'TWIN@example.com' }),
  ]);
  const refused = twice.filter((each) => each.status === 'rejected');
  assert.equal(refused.length, 1);
  assert.equal(refused[0]?.reason.code, 'INVALID_REQUEST');
  assert.equal(refused[0]?.reason.message, 'An account for twin@example.com exists already.');
});

test('starting credits come with the verified email, once', async () => {
  const { id } = await createAccount(t.db, { ...NEW, email: 'later@example.com', emailVerified: false });
  assert.equal((await findAccountByEmail(t.db, 'later@example.com'))?.creditsAvailable, 0);
  const verify = (): Promise<boolean> => inTransaction(t.db.pool, (client) => markVerified(client, id, 30));
  const outcomes = await Promise.all([verify(), verify()]);
  assert.deepEqual(outcomes.sort(), [false, true]);
  const account = await findAccountByEmail(t.db, 'later@example.com');
  assert.equal(account?.creditsAvailable, 30);
  assert.equal(account.emailVerified, true);
  assert.deepEqual(await checkLedger(t.db), []);
});

test('the owner is the oldest account of that role', async () => {
  assert.equal(await findOwner(t.db), null);
  const owner = await createAccount(t.db, { ...NEW, email: 'owner@example.com', role: 'owner' });
  await createAccount(t.db, { ...NEW, email: 'second@example.com', role: 'owner' });
  assert.deepEqual(await findOwner(t.db), owner);
});

for (const text of [
  '',
  'a',
  'a@b',
  '@b.c',
  'a b@c.de',
  'a@b..c',
  'a@@b.c',
  `${'x'.repeat(251)}@b.c`,
  'a@b.c\n@d.e',
]) {
  test(`not an email address: ${JSON.stringify(text.slice(0, 20))}`, () => {
    assert.throws(() => normaliseEmail(text), { code: 'INVALID_REQUEST' });
  });
}

test('the first owner may live on this machine only', () => {
  assert.equal(normaliseEmail('owner@localhost'), 'owner@localhost');
});

test('only the hash of a key is stored', async () => {
  const { id } = await createAccount(t.db, { ...NEW, email: 'keys@example.com' });
  const { secret, ...shown } = await createApiKey(t.db.pool, id, ' laptop ');
  assert.match(secret, /^gsk_[A-Za-z0-9_-]{43}$/);
  assert.deepEqual(await listApiKeys(t.db, id), [shown]);
  assert.equal(shown.name, 'laptop');
  assert.equal(shown.lastFour, secret.slice(-4));
  const { rows } = await t.db.pool.query('select * from api_keys where account_id = $1', [id]);
  assert.deepEqual(rows[0].hash, createHash('sha256').update(secret).digest());
  assert.deepEqual(hashApiKey(secret), rows[0].hash);
  assert(!JSON.stringify(rows).includes(secret.slice(4, 40)));
  for (const name of ['  ', 'x'.repeat(101)]) {
    await assert.rejects(createApiKey(t.db.pool, id, name), { code: 'INVALID_REQUEST' });
  }
});

test('text that cannot be a key is known without a query', () => {
  for (const text of [
    '',
    'gsk_',
    `gsk_${'a'.repeat(42)}`,
    `gsk_${'a'.repeat(44)}`,
    `sk_${'a'.repeat(43)}`,
    `gsk_${'a'.repeat(42)}\n`,
  ]) {
    assert.equal(hashApiKey(text), null);
  }
});

test('an operator can give and take credits, but never more than there are', async () => {
  const { id } = await createAccount(t.db, { ...NEW, email: 'credit@example.com' });
  const by = (credits: number) => changeCredits(t.db, COMMAND_LINE, id, { credits, note: 'test' });
  assert.deepEqual(await by(70), { available: 100, held: 0 });
  assert.deepEqual(await by(-100), { available: 0, held: 0 });
  await assert.rejects(by(-1), { code: 'INVALID_REQUEST' });
  await assert.rejects(by(0.5), { code: 'INVALID_REQUEST' });
  await assert.rejects(by(0), { code: 'INVALID_REQUEST' });
  assert.deepEqual(await checkLedger(t.db), []);
});

test('the ledger check sees money out of thin air', async () => {
  const { id } = await createAccount(t.db, { ...NEW, email: 'thief@example.com' });
  await t.db.pool.query('update accounts set credits_available = credits_available + 1 where id = $1', [id]);
  assert.equal((await checkLedger(t.db)).length, 2);
  await t.db.pool.query('update accounts set credits_available = credits_available - 1 where id = $1', [id]);
});

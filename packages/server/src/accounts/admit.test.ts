import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { PLAN_LIMITS, type Plan, READ_RATE_FACTOR } from '@guise/contract/plans.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { admit, type Admission, type RateBucket } from './admit.ts';
import { createApiKey, hashApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { createAccount } from './create-account.ts';
import { setPlan } from './testing/set-plan.ts';
import { setSuspended } from './testing/suspend-account.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

async function newKey(plan: Plan): Promise<{ accountId: string; keyId: string; keyHash: Buffer }> {
  const account = await createAccount(t.db, {
    email: `${randomUUID()}@example.com`,
    plan,
    emailVerified: plan !== 'free',
    startingCredits: 0,
  });
  const key = await createApiKey(t.db.pool, account.id, 'test');
  const keyHash = hashApiKey(key.secret);
  assert(keyHash);
  return { accountId: account.id, keyId: key.id, keyHash };
}

const ask = (keyHash: Buffer, bucket: RateBucket = 'ai-tasks'): Promise<Admission> =>
  admit(t.db, { keyHash, bucket, clientAddress: null });

async function ageWindow(accountId: string, seconds: number): Promise<void> {
  await t.db.pool.query(
    `update request_windows set started_at = started_at - $2 * interval '1 s' where account_id = $1`,
    [accountId, seconds],
  );
}

test('200 calls at once on a limit of 60 admit exactly 60', async () => {
  const { keyHash } = await newKey('pro');
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(keyHash)));
  const admitted = answers.filter(({ rate }) => rate?.allowed);
  assert.equal(admitted.length, PLAN_LIMITS.pro.requestsPerMinute);
  assert.deepEqual(
    admitted.map(({ rate }) => rate?.remaining).sort((a = 0, b = 0) => a - b),
    Array.from({ length: 60 }, (_, n) => n),
  );
  for (const { rate } of answers) {
    assert.equal(rate?.limit, 60);
    assert(rate.resetSeconds >= 1 && rate.resetSeconds <= 60);
  }
});

test('the window is 60 seconds from the first request; refused ones neither count nor prolong it', async () => {
  const { accountId, keyHash } = await newKey('free');
  for (let n = 9; n >= 0; n--) assert.equal((await ask(keyHash)).rate?.remaining, n);
  for (let n = 0; n < 5; n++) assert.equal((await ask(keyHash)).rate?.allowed, false);
  await ageWindow(accountId, 30);
  const late = (await ask(keyHash)).rate;
  assert.equal(late?.allowed, false);
  assert(late.resetSeconds <= 30 && late.resetSeconds >= 1, `${late.resetSeconds}`);
  await ageWindow(accountId, 30);
  assert.deepEqual((await ask(keyHash)).rate, {
    allowed: true,
    limit: 10,
    remaining: 9,
    resetSeconds: 60,
    day: null,
    refusedBy: null,
  });
});

test('reads have a bucket of their own, ten times as large, and all keys of an account share both', async () => {
  const { accountId, keyHash } = await newKey('free');
  const other = hashApiKey((await createApiKey(t.db.pool, accountId, 'other')).secret);
  assert(other);
  assert.equal((await ask(keyHash)).rate?.remaining, 9);
  assert.equal((await ask(other)).rate?.remaining, 8);
  const limit = 10 * READ_RATE_FACTOR;
  assert.deepEqual((await ask(keyHash, 'ai-tasks:read')).rate, {
    allowed: true,
    limit,
    remaining: limit - 1,
    resetSeconds: 60,
    day: null,
    refusedBy: null,
  });
});

test('Enterprise is unlimited and counts nothing; another plan holds from the next request on', async () => {
  const { accountId, keyHash } = await newKey('enterprise');
  const { account, rate } = await ask(keyHash);
  assert.deepEqual(account, { id: accountId, plan: 'enterprise', emailVerified: true });
  assert.equal(rate, null);
  await setPlan(t.db, accountId, 'free');
  assert.equal((await ask(keyHash)).rate?.remaining, 9);
});

test('unknown, revoked and suspended look the same', async () => {
  const { accountId, keyId, keyHash } = await newKey('free');
  assert.equal((await ask(keyHash)).account?.emailVerified, false);
  const nobody = { account: null, rate: null, addressAllowed: false };
  assert.deepEqual(await ask(Buffer.alloc(32)), nobody);
  await setSuspended(t.db, accountId, true);
  assert.deepEqual(await ask(keyHash), nobody);
  await setSuspended(t.db, accountId, false);
  assert((await ask(keyHash)).account);
  assert.equal(await revokeApiKey(t.db.pool, randomUUID(), keyId), false);
  assert.equal(await revokeApiKey(t.db.pool, accountId, keyId), true);
  assert.equal(await revokeApiKey(t.db.pool, accountId, keyId), false);
  assert.deepEqual(await ask(keyHash), nobody);
});

test('the last use of a key is kept to the minute', async () => {
  const { accountId, keyHash } = await newKey('pro');
  await ask(keyHash);
  const first = (await listApiKeys(t.db, accountId))[0]?.lastUsedAt;
  assert(first);
  await ask(keyHash);
  assert.deepEqual((await listApiKeys(t.db, accountId))[0]?.lastUsedAt, first);
  await t.db.pool.query(`update api_keys set last_used_at = now() - interval '2 min' where account_id = $1`, [
    accountId,
  ]);
  await ask(keyHash);
  assert(((await listApiKeys(t.db, accountId))[0]?.lastUsedAt ?? 0) >= first);
});

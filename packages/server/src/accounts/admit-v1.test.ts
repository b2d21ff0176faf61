import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { PLAN_LIMITS, type Plan } from '@guise/contract/plans.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { admit, type Rate } from './admit.ts';
import { createApiKey, hashApiKey } from './api-keys.ts';
import { createAccount } from './create-account.ts';
import { clearOfMidnight } from './testing/clear-of-midnight.ts';

let t: TestDatabase;
/** Stands for another process: connections of its own. */
let other: Database;
before(async () => {
  t = await createTestDatabase();
  other = openDatabase(t.url, { poolSize: 10, durable: false });
});
beforeEach(clearOfMidnight);
after(async () => {
  await other.close();
  await t.close();
});

async function newKey(plan: Plan): Promise<{ accountId: string; keyHash: Buffer }> {
  const email = `${randomUUID()}@example.com`;
  const account = await createAccount(t.db, { email, plan, emailVerified: true, startingCredits: 0 });
  const keyHash = hashApiKey((await createApiKey(t.db.pool, account.id, 'test')).secret);
  assert(keyHash);
  return { accountId: account.id, keyHash };
}

async function ask(keyHash: Buffer, db: Database = t.db): Promise<Rate> {
  const { rate } = await admit(db, { keyHash, bucket: 'v1', clientAddress: '198.51.100.7' });
  assert(rate);
  return rate;
}

const askAtOnce = (keyHash: Buffer, count: number): Promise<Rate[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(keyHash, n % 2 === 0 ? t.db : other)));

/** Sets what was counted, and moves the day that it was counted on. */
async function setCounts(
  accountId: string,
  to: { readonly requests?: number; readonly dayRequests?: number; readonly daysAgo?: number },
): Promise<void> {
  await t.db.pool.query(
    `update request_windows set requests = coalesce($2, requests), day_requests = coalesce($3, day_requests),
      day = day - $4::int where account_id = $1`,
    [accountId, to.requests, to.dayRequests, to.daysAgo ?? 0],
  );
}

async function counts(accountId: string): Promise<unknown> {
  const { rows } = await t.db.pool.query(
    `select requests, day_requests, day = (now() at time zone 'utc')::date as today
      from request_windows where account_id = $1 and bucket = 'v1'`,
    [accountId],
  );
  return rows[0];
}

test('200 calls at once through two pools, on 60 a minute: exactly 60 pass, and 60 are counted', async () => {
  const { accountId, keyHash } = await newKey('pro');
  const rates = await askAtOnce(keyHash, 200);
  const passed = rates.filter(({ allowed }) => allowed);
  assert.equal(passed.length, 60);
  assert.deepEqual(
    passed.map(({ day }) => day?.remaining).sort((a = 0, b = 0) => b - a),
    Array.from({ length: 60 }, (_, n) => 4999 - n),
  );
  for (const rate of rates.filter(({ allowed }) => !allowed)) {
    assert.equal(rate.refusedBy, 'minute');
    assert.equal(rate.remaining, 0);
    assert(rate.resetSeconds >= 1 && rate.resetSeconds <= 60);
  }
  assert.deepEqual(await counts(accountId), { requests: 60, day_requests: 60, today: true });
});

test('the day refuses exactly there under concurrency, says so and until midnight UTC; refusals count nothing', async () => {
  const { accountId, keyHash } = await newKey('pro');
  await ask(keyHash);
  await setCounts(accountId, { requests: 1, dayRequests: 4980 });
  const rates = await askAtOnce(keyHash, 100);
  assert.equal(rates.filter(({ allowed }) => allowed).length, 20);
  for (const rate of rates.filter(({ allowed }) => !allowed)) {
    assert.equal(rate.refusedBy, 'day');
    assert.equal(rate.day?.limit, PLAN_LIMITS.pro.requestsPerDay);
    assert.equal(rate.day.remaining, 0);
  }
  const late = await ask(keyHash);
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  assert.equal(late.remaining, 60 - 21);
  assert(Math.abs((late.day?.resetSeconds ?? 0) - (midnight - Date.now()) / 1000) < 60);
  assert.deepEqual(await counts(accountId), { requests: 21, day_requests: 5000, today: true });
});

test('the next day starts again, and the minute goes on over midnight', async () => {
  const { accountId, keyHash } = await newKey('free');
  await ask(keyHash);
  await setCounts(accountId, { requests: 4, dayRequests: 100 });
  assert.equal((await ask(keyHash)).refusedBy, 'day');
  await setCounts(accountId, { daysAgo: 1 });
  const next = await ask(keyHash);
  assert.equal(next.allowed, true);
  assert.equal(next.remaining, 5);
  assert.equal(next.day?.remaining, 99);
  assert.deepEqual(await counts(accountId), { requests: 5, day_requests: 1, today: true });
});

test('a statement that began before midnight counts for the day that has begun since', async () => {
  const { accountId, keyHash } = await newKey('free');
  await ask(keyHash);
  await setCounts(accountId, { requests: 1, dayRequests: 99, daysAgo: -1 });
  assert.equal((await ask(keyHash)).day?.remaining, 0);
  assert.equal((await ask(keyHash)).refusedBy, 'day');
  assert.deepEqual(await counts(accountId), { requests: 2, day_requests: 100, today: false });
});

test('where both are used up the day is named, and a new minute does not help', async () => {
  const { accountId, keyHash } = await newKey('free');
  await ask(keyHash);
  await setCounts(accountId, { requests: 10, dayRequests: 100 });
  assert.equal((await ask(keyHash)).refusedBy, 'day');
  await t.db.pool.query(
    `update request_windows set started_at = started_at - interval '60 s' where account_id = $1`,
    [accountId],
  );
  const rate = await ask(keyHash);
  assert.equal(rate.refusedBy, 'day');
  assert.equal(rate.remaining, 10);
});

test('the session time zone moves no day', async () => {
  const { accountId, keyHash } = await newKey('free');
  const client = await t.db.pool.connect();
  try {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await client.query(`set time zone '${zone}'`);
      const abroad = { ...t.db, pool: client as unknown as Database['pool'] };
      const rate = await ask(keyHash, abroad);
      const midnight = new Date().setUTCHours(24, 0, 0, 0);
      assert(Math.abs((rate.day?.resetSeconds ?? 0) - (midnight - Date.now()) / 1000) < 60, zone);
    }
  } finally {
    await client.query('reset time zone');
    client.release();
  }
  assert.deepEqual(await counts(accountId), { requests: 2, day_requests: 2, today: true });
});

test('Enterprise is unlimited on v1; ai-tasks has no day and a bucket of its own', async () => {
  const { keyHash } = await newKey('enterprise');
  assert.equal((await admit(t.db, { keyHash, bucket: 'v1', clientAddress: null })).rate, null);
  const free = await newKey('free');
  await ask(free.keyHash);
  await setCounts(free.accountId, { requests: 10, dayRequests: 100 });
  const { rate } = await admit(t.db, { keyHash: free.keyHash, bucket: 'ai-tasks', clientAddress: null });
  assert.equal(rate?.remaining, 9);
  assert.equal(rate.day, null);
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { normaliseAddress } from '../net/normalise-address.ts';
import { admit } from './admit.ts';
import { createApiKey, hashApiKey } from './api-keys.ts';
import { createAccount } from './create-account.ts';
import { getIpAllowlist, setIpAllowlist } from './ip-allowlist.ts';
import { setPlan } from './testing/set-plan.ts';

let t: TestDatabase;
let accountId: string;
let keyHash: Buffer | null;
before(async () => {
  t = await createTestDatabase();
  const account = {
    email: 'a@example.com',
    plan: 'enterprise',
    emailVerified: true,
    startingCredits: 0,
  } as const;
  accountId = (await createAccount(t.db, account)).id;
  keyHash = hashApiKey((await createApiKey(t.db.pool, accountId, 'test')).secret);
});
after(() => t.close());

async function allows(peer: string): Promise<boolean> {
  assert(keyHash);
  const request = { keyHash, bucket: 'v1', clientAddress: normaliseAddress(peer) } as const;
  return (await admit(t.db, request)).addressAllowed;
}

test('without a list every address may; with one only its ranges, IPv4 and IPv6, mapped or with a zone', async () => {
  assert.deepEqual(await getIpAllowlist(t.db, accountId), []);
  assert.equal(await allows('8.8.8.8'), true);
  assert.equal(await allows('unknown'), true);
  const list = ['198.51.100.0/24', '203.0.113.7', '2001:db8:1::/48', 'fe80::/10'];
  const stored = ['198.51.100.0/24', '203.0.113.7/32', '2001:db8:1::/48', 'fe80::/10'];
  assert.deepEqual(await setIpAllowlist(t.db.pool, accountId, list), stored);
  assert.deepEqual(await getIpAllowlist(t.db, accountId), stored);
  for (const peer of [
    '198.51.100.0',
    '198.51.100.255',
    '203.0.113.7',
    '::ffff:198.51.100.9',
    '::ffff:c633:6409',
    '2001:db8:1:ffff::1',
    '2001:0DB8:0001::1',
    'fe80::1%eth0',
  ]) {
    assert.equal(await allows(peer), true, peer);
  }
  for (const peer of [
    '198.51.101.0',
    '203.0.113.6',
    '2001:db8:2::1',
    '::1',
    '::ffff:8.8.8.8',
    'unknown',
    '',
    '1.2',
  ]) {
    assert.equal(await allows(peer), false, peer);
  }
});

test('it binds only while the plan is enterprise', async () => {
  await setIpAllowlist(t.db.pool, accountId, ['198.51.100.0/24']);
  await setPlan(t.db, accountId, 'pro');
  assert.equal(await allows('8.8.8.8'), true);
  await setPlan(t.db, accountId, 'enterprise');
  assert.equal(await allows('8.8.8.8'), false);
  assert.deepEqual(await setIpAllowlist(t.db.pool, accountId, []), []);
  assert.equal(await allows('8.8.8.8'), true);
});

test('what is no range is named, and the list stays as it was', async () => {
  await setIpAllowlist(t.db.pool, accountId, ['198.51.100.0/24']);
  for (const bad of [
    '',
    'office',
    '198.51.100.0/33',
    '198.51.100.1/24',
    '198.51.100/24',
    '198.51.100.0/',
    '198.51.100.0/-1',
    '198.51.100.0/24/8',
    '0x7f.1',
    '2001:db8::/129',
    '2001:db8::1/48',
    'fe80::1%eth0',
    '::ffff:198.51.100.0/120',
    "198.51.100.0/24'",
  ]) {
    await assert.rejects(setIpAllowlist(t.db.pool, accountId, ['8.8.8.8', bad]), (error: Error) => {
      assert(error.message.startsWith(`"${bad}" is not an address range`), error.message);
      return true;
    });
  }
  const many = Array.from({ length: 101 }, (_, n) => `10.0.0.${n}`);
  await assert.rejects(setIpAllowlist(t.db.pool, accountId, many), {
    code: 'INVALID_REQUEST',
    details: { limit: 100 },
  });
  assert.deepEqual(await getIpAllowlist(t.db, accountId), ['198.51.100.0/24']);
  assert.equal((await setIpAllowlist(t.db.pool, accountId, many.slice(1)))?.length, 100);
  assert.equal(await setIpAllowlist(t.db.pool, randomUUID(), []), null);
});

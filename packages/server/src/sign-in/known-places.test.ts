import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccount } from '../accounts/create-account.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import type { Database } from '../db/database.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { createKnownPlaces, type KnownPlaces, MAX_KNOWN_PLACES } from './known-places.ts';
import type { Visitor } from './sessions.ts';
import { pruneSignIn } from './throttle.ts';

let t: TestDatabase;
let db: Database;
let places: KnownPlaces;
let people = 0;
before(async () => {
  t = await createTestDatabase();
  ({ db } = t);
  places = createKnownPlaces({ db, secret: Buffer.alloc(32, 7), publicUrl: 'http://here' });
});
after(() => t.close());

async function newAccount(): Promise<string> {
  const email = `placed-${people++}@example.com`;
  const { id } = await createAccount(db, { email, plan: 'free', emailVerified: true, startingCredits: 0 });
  return id;
}

const visitor = (address: string, cookie = ''): Visitor => ({ address, userAgent: 'test', cookie });

async function rowsOf(accountId: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ text: string }>(
    'select k::text as text from known_places k where account_id = $1',
    [accountId],
  );
  return rows.map(({ text }) => text);
}

test('a device is known by its cookie anywhere, a network by /64, each to its account alone', async () => {
  const [id, other] = [await newAccount(), await newAccount()];
  const home = visitor('2001:db8:1:2::3');
  assert.equal(await places.find(id, home), null);
  const cookie = (await places.remember(id, home)).split(';')[0]!;
  assert.equal((await places.find(id, visitor('2001:db8:1:2:ffff::9')))?.kind, 'network');
  assert.equal((await places.find(id, visitor('203.0.113.5', `a=b; ${cookie}; c=d`)))?.kind, 'device');
  const strangers = [visitor('2001:db8:1:3::3'), visitor('203.0.113.5', `x${cookie}`)];
  for (const stranger of strangers) assert.equal(await places.find(id, stranger), null);
  for (const accountId of [other, null]) {
    assert.equal(await places.find(accountId, visitor('2001:db8:1:2::3', cookie)), null);
  }
});

test('a device keeps its cookie, and neither it nor an address stands in the database', async () => {
  const id = await newAccount();
  const cookie = (await places.remember(id, visitor('203.0.113.7'))).split(';')[0]!;
  const again = await places.remember(id, visitor('203.0.113.8', cookie));
  assert(again.startsWith(`${cookie};`));
  const rows = await rowsOf(id);
  assert.equal(rows.length, 3);
  for (const row of rows) {
    for (const secret of ['203.0.113', cookie.split('=')[1]!]) assert(!row.includes(secret));
  }
});

test('an account is known at the latest few places, until they are long unused', async () => {
  const id = await newAccount();
  for (let n = 1; n <= MAX_KNOWN_PLACES; n++) await places.remember(id, visitor(`203.0.113.${n}`));
  assert.equal((await rowsOf(id)).length, MAX_KNOWN_PLACES);
  const latest = visitor(`203.0.113.${MAX_KNOWN_PLACES}`);
  assert.equal(await places.find(id, visitor('203.0.113.1')), null);
  assert.equal((await places.find(id, latest))?.kind, 'network');
  await db.pool.query(`update known_places set seen_at = now() - interval '91 days' where account_id = $1`, [
    id,
  ]);
  assert.equal(await places.find(id, latest), null);
  await pruneSignIn(db);
  assert.deepEqual(await rowsOf(id), []);
});

test('with a new password nothing but the network where it was set is known', async () => {
  const id = await newAccount();
  await places.remember(id, visitor('203.0.113.1'));
  const cookie = (await places.remember(id, visitor('203.0.113.2'))).split(';')[0]!;
  await places.startAnew(db.pool, id, visitor('203.0.113.3', cookie));
  for (const address of ['203.0.113.1', '203.0.113.2'])
    assert.equal(await places.find(id, visitor(address, cookie)), null);
  assert.equal((await places.find(id, visitor('203.0.113.3', cookie)))?.kind, 'network');
});

test('a deleted account leaves no place', async () => {
  const id = await newAccount();
  await places.remember(id, visitor('203.0.113.1'));
  await deleteAccount(db, id);
  assert.deepEqual(await rowsOf(id), []);
});

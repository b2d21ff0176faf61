import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccount } from '../accounts/create-account.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import type { Database } from '../db/database.ts';
import { type InstallationSecrets, openInstallationSecrets } from '../db/installation-secrets.ts';
import { rotateSecret } from '../db/rotate-secret.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { createKnownPlaces, type KnownPlaces, MAX_KNOWN_PLACES } from './known-places.ts';
import type { Visitor } from './sessions.ts';
import { pruneSignIn } from './throttle.ts';

let t: TestDatabase;
let db: Database;
let secrets: InstallationSecrets;
let places: KnownPlaces;
let people = 0;
before(async () => {
  t = await createTestDatabase();
  ({ db } = t);
  secrets = await openInstallationSecrets({ pool: db.pool, onError: assert.ifError });
  places = createKnownPlaces({ db, secrets: secrets['known-places'], publicUrl: 'http://here' });
});
after(async () => {
  secrets.close();
  await t.close();
});

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

test('places stay known after a rotation, and are then remembered by the new secret', async () => {
  const id = await newAccount();
  const home = visitor('203.0.113.9');
  const cookie = (await places.remember(id, home)).split(';')[0]!;
  const away = visitor('198.51.100.9', cookie);
  await rotateSecret(db.pool, 'known-places', 86_400_000);
  await db.pool.query("update installation_secrets set signs_from = now() where name = 'known-places'");
  await secrets.refresh();
  assert.equal((await places.find(id, home))?.kind, 'network');
  assert.equal((await places.find(id, away))?.kind, 'device');
  const before = await rowsOf(id);
  await places.remember(id, away);
  assert.equal((await rowsOf(id)).length, before.length + 2);
  await db.pool.query('delete from former_secrets');
  await secrets.refresh();
  assert.equal(await places.find(id, home), null);
  assert.equal((await places.find(id, visitor('192.0.2.9', cookie)))?.kind, 'device');
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../db/test-database.ts';
import { inTransaction } from '../db/transaction.ts';
import { useEmailLink } from '../sign-in/email-links.ts';
import { storePassword } from '../sign-in/passwords.ts';
import { findOrCreateOwner, welcome } from './first-start.ts';

const database = await createTestDatabase();
const { db } = database;
after(() => database.close());

test('the first start makes one owner with credits; later starts find it', async () => {
  const owner = await findOrCreateOwner(db, 'owner@localhost');
  assert.deepEqual(
    [owner.email, owner.role, owner.plan, owner.emailVerified, owner.creditsAvailable],
    ['owner@localhost', 'owner', 'enterprise', true, 1000],
  );
  assert.equal((await findOrCreateOwner(db, 'somebody@example.com')).id, owner.id);
});

test('without a terminal no key or link is made, and the commands that make them are named at every start', async () => {
  const owner = await findOrCreateOwner(db, 'owner@localhost');
  for (let start = 0; start < 2; start++) {
    const text = await welcome(db, { owner, publicUrl: 'http://here', isTerminal: false });
    assert.match(text, /npx guise account key --email owner@localhost/);
    assert.match(text, /npx guise account link --email owner@localhost/);
    assert.match(text, /Run these commands in \/.+\.\n$/);
    assert.doesNotMatch(text, /gsk_|token=/);
  }
});

test('on a terminal a key is shown once, inside a line that can be pasted', async () => {
  const owner = await findOrCreateOwner(db, 'owner@localhost');
  const text = await welcome(db, { owner, publicUrl: 'http://here', isTerminal: true });
  assert.match(text, /curl -s http:\/\/here\/api\/ai-tasks -H "Authorization: Bearer gsk_[\w-]{43}" \\\n/);
  assert.match(text, /^ {2}http:\/\/here\/sign-in\/link#token=[\w-]{43}$/m);
});

test('until there is a password every start gives a new link; the first one used ends them all', async () => {
  const owner = await findOrCreateOwner(db, 'owner@localhost');
  const start = { owner, publicUrl: 'http://here', isTerminal: true };
  const tokens = [await welcome(db, start), await welcome(db, start)].map((text) => {
    assert.doesNotMatch(text, /gsk_/);
    return /#token=([\w-]{43})/.exec(text)![1]!;
  });
  const follow = (token: string): Promise<string | null> =>
    inTransaction(db.pool, (client) =>
      useEmailLink(client, { accountId: owner.id, purpose: 'sign-in', token }),
    );
  assert.equal(await follow(tokens[0]!), owner.email);
  assert.equal(await follow(tokens[1]!), null);
  await storePassword(db.pool, owner.id, 'a hash');
  assert.equal(
    await welcome(db, start),
    'Sign in at http://here as owner@localhost. A link instead of the password: ' +
      'npx guise account link --email owner@localhost\n',
  );
});

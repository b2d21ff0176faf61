import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../db/test-database.ts';
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

test('without a terminal no key is made, and the command that makes one is named at every start', async () => {
  const owner = await findOrCreateOwner(db, 'owner@localhost');
  for (let start = 0; start < 2; start++) {
    const text = await welcome(db, { owner, publicUrl: 'http://here', isTerminal: false });
    assert.match(text!, /npx guise account key --email owner@localhost/);
    assert.doesNotMatch(text!, /gsk_/);
  }
});

test('on a terminal a key is shown once, inside a line that can be pasted', async () => {
  const owner = await findOrCreateOwner(db, 'owner@localhost');
  const text = await welcome(db, { owner, publicUrl: 'http://here', isTerminal: true });
  assert.match(text!, /curl -s http:\/\/here\/api\/ai-tasks -H "Authorization: Bearer gsk_[\w-]{43}" \\\n/);
  assert.equal(await welcome(db, { owner, publicUrl: 'http://here', isTerminal: true }), null);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COMMAND_LINE } from '../operator/audit.ts';
import { changeCredits } from '../operator/change-account.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { inTransaction } from '../db/transaction.ts';
import { changePlan } from '../operator/change-account.ts';
import { createEmailLink } from '../sign-in/email-links.ts';
import { createInvitation, findInvitation, markInvitationUsed } from '../sign-in/invitations.ts';
import { createApiKey } from './api-keys.ts';
import { createAccount } from './create-account.ts';
import { findAccountByEmail } from './find-account.ts';
import { pruneUnverified, UNVERIFIED_LIFETIME_DAYS } from './prune-unverified.ts';
import { setSuspended } from './testing/suspend-account.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

async function unverified(name: string, ageDays: number): Promise<{ id: string; email: string }> {
  const email = `${name}@example.com`;
  const { id } = await createAccount(t.db, { email, plan: 'free', emailVerified: false, startingCredits: 0 });
  await t.db.pool.query(`update accounts set created_at = now() - $2 * interval '1 day' where id = $1`, [
    id,
    ageDays,
  ]);
  return { id, email };
}

const exists = async (email: string): Promise<boolean> => (await findAccountByEmail(t.db, email)) !== null;

test('an account that nobody verified in its time goes, one that somebody may still verify or did does not', async () => {
  const old = await unverified('old', UNVERIFIED_LIFETIME_DAYS + 0.01);
  const young = await unverified('young', UNVERIFIED_LIFETIME_DAYS - 0.01);
  const verified = await unverified('verified', 100);
  await t.db.pool.query('update accounts set email_verified_at = now() where id = $1', [verified.id]);
  const mailed = await unverified('mailed', 100);
  await createEmailLink(t.db.pool, '', { accountId: mailed.id, purpose: 'verify', email: mailed.email });
  assert.equal(await pruneUnverified(t.db), 1);
  assert.deepEqual(await Promise.all([old, young, verified, mailed].map(({ email }) => exists(email))), [
    false,
    true,
    true,
    true,
  ]);
  await t.db.pool.query('update email_links set expires_at = now()');
  assert.equal(await pruneUnverified(t.db), 1);
  assert.equal(await exists(mailed.email), false);
});

test('an account that an operator had a hand in stays unverified for as long as it likes', async () => {
  const operator = await createAccount(t.db, {
    email: 'operator@example.com',
    role: 'owner',
    plan: 'free',
    emailVerified: true,
    startingCredits: 0,
  });
  const keyed = await unverified('keyed', 100);
  await createApiKey(t.db.pool, keyed.id, 'first key');
  const paid = await unverified('paid', 100);
  await changeCredits(t.db, COMMAND_LINE, paid.id, { credits: 5, note: '' });
  await changeCredits(t.db, COMMAND_LINE, paid.id, { credits: -5, note: '' });
  const planned = await unverified('planned', 100);
  await changePlan(t.db, operator, planned.id, 'pro');
  const suspended = await unverified('suspended', 100);
  await setSuspended(t.db, suspended.id, true);
  assert.equal(await pruneUnverified(t.db), 0);
  for (const { email } of [keyed, paid, planned, suspended]) assert(await exists(email), email);
});

test('the invitation that a pruned account used works again', async () => {
  const { id, email } = await unverified('invited', 100);
  const { invitation, link } = await createInvitation(t.db.pool, '', { email: null, plan: 'pro' });
  const token = link.split('=')[1]!;
  await inTransaction(t.db.pool, (client) => markInvitationUsed(client, invitation.id, id));
  assert.equal(await findInvitation(t.db.pool, token, 'next@example.com'), null);
  assert.equal((await findInvitation(t.db.pool, token, email))?.id, invitation.id);
  assert.equal(await pruneUnverified(t.db), 1);
  assert.equal((await findInvitation(t.db.pool, token, 'next@example.com'))?.id, invitation.id);
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createAccount } from '@guise/server/accounts/create-account.ts';
import { createTestDatabase, type TestDatabase } from '@guise/server/db/test-database.ts';
import { eventually, startReceiver } from '@guise/server/webhooks/testing/receiver.ts';
import { endBatch, startSender } from '@guise/server/webhooks/testing/sender-rig.ts';

const EMAIL = 'ann@example.com';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

/** Runs `guise webhook ...` as an operator does, on the test's database. */
function webhook(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const bin = path.resolve(import.meta.dirname, '../bin/guise.cjs');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [bin, 'webhook', ...args, '--email', EMAIL],
      { env: { ...process.env, DATABASE_URL: t.url } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

// oxlint-disable-next-line typescript/no-explicit-any
async function json(command: string): Promise<any> {
  const { code, stdout, stderr } = await webhook(command, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

test('deliveries are listed and resent, and the secret changes', async () => {
  const account = await createAccount(t.db, {
    email: EMAIL,
    plan: 'pro',
    emailVerified: true,
    startingCredits: 100,
  });
  assert.equal((await webhook('list')).stdout, 'No webhooks.\n');

  const receiver = await startReceiver((_request, index) => (index === 0 ? 410 : 200));
  const sender = await startSender(t.url);
  try {
    await endBatch(t.db, account.id, `${receiver.origin}/hook`);
    const list = async () => (await json('list')).deliveries[0];
    await eventually(async () => (await list()).status === 'stopped', 'the first attempt');
    const { eventId, jobId } = await list();
    const { stdout } = await webhook('list');
    assert.equal(
      stdout,
      `${eventId} batch_swap.completed of ${jobId} to ${receiver.origin}/hook: stopped after 1 attempt, ` +
        'the last: The endpoint answered 410: it does not want this event any more.\n',
    );

    const resent = await webhook('resend', eventId);
    assert.equal(resent.stdout, `Event ${eventId} is sent again as soon as the service runs.\n`);
    await receiver.received(2);
    await eventually(async () => (await list()).status === 'delivered', 'the delivery');
  } finally {
    await sender.stop();
    await receiver.close();
  }

  const rotated = await json('rotate-secret');
  assert.match(rotated.webhookSecret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert(new Date(rotated.previousUntil) > new Date());
});

test('an event that is not there is one sentence', async () => {
  for (const [event, sentence] of [
    ['nonsense', /^guise: The event is named by its id, evt_\.\.\.: see `guise webhook list`\.\n$/],
    [`evt_${'0'.repeat(32)}`, /^guise: ann@example\.com has no event evt_0+\.\n$/],
  ] as const) {
    const { code, stderr } = await webhook('resend', event);
    assert.equal(code, 1);
    assert.match(stderr, sentence);
  }
});

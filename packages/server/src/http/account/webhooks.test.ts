import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createAccount } from '../../accounts/create-account.ts';
import { createEmailLink } from '../../sign-in/email-links.ts';
import { toEventId } from '../../webhooks/event-id.ts';
import { Browser } from '../testing/browser.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ GUISE_PUBLIC_URL: 'http://guise.test' });
});
after(() => app.close());

async function person(email: string): Promise<{ readonly id: string; readonly browser: Browser }> {
  const { database } = app.deps;
  const account = { email, plan: 'pro', emailVerified: true, startingCredits: 0 } as const;
  const { id } = await createAccount(database, account);
  const to = { accountId: id, purpose: 'sign-in', email } as const;
  const [, token] = (await createEmailLink(database.pool, 'http://guise.test', to)).split('#token=');
  const browser = new Browser(app);
  assert.equal((await browser.post('/account/auth/sign-in-link', { token })).status, 200);
  return { id, browser };
}

/** An event that was tried once and given up, as its rows are. */
async function failedEvent(accountId: string): Promise<string> {
  const { pool } = app.deps.database;
  const [taskId, eventId] = [randomUUID(), randomUUID()];
  await pool.query(
    `insert into tasks (id, account_id, interface, type, lane, status, parameters, work, cost_credits, completed_at)
     values ($1, $2, 'v1', 'VIDEO_SWAP', 'long', 'COMPLETED', '{}', '{}', 0, now())`,
    [taskId, accountId],
  );
  await pool.query(
    `insert into webhook_events (id, account_id, task_id, event, url, origin, body, status, failures)
     values ($1, $2, $3, 'video_swap.completed', 'https://example.com/hook', 'https://example.com', '{"a":1}',
       'failed', 10)`,
    [eventId, accountId, taskId],
  );
  await pool.query(
    `insert into webhook_attempts (event_id, started_at, duration_ms, http_status, failure)
     values ($1, now(), 12, 500, 'It answered 500.')`,
    [eventId],
  );
  return eventId;
}

test('deliveries are shown with attempts and payload and sent again, to their own account only', async () => {
  const one = await person('one@example.com');
  const two = await person('two@example.com');
  const uuid = await failedEvent(one.id);
  const eventId = toEventId(uuid);
  const { deliveries, next } = (await one.browser.get('/account/webhook-deliveries')).body;
  assert.equal(next, null);
  assert.deepEqual([deliveries[0].eventId, deliveries[0].status], [eventId, 'failed']);
  assert.deepEqual([deliveries[0].attempts[0].httpStatus, deliveries[0].nextAttemptAt], [500, null]);
  const payload = `/account/webhook-deliveries/${eventId}/payload`;
  const resend = `/account/webhook-deliveries/${eventId}/resend`;
  assert.deepEqual((await one.browser.get(payload)).body, { payload: '{"a":1}' });
  assert.deepEqual((await two.browser.get('/account/webhook-deliveries')).body.deliveries, []);
  assert.equal((await two.browser.get(payload)).status, 404);
  assert.equal((await two.browser.post(resend)).status, 404);
  assert.equal((await one.browser.post('/account/webhook-deliveries/evt_x/resend')).status, 404);
  assert.equal((await one.browser.post(resend)).status, 200);
  const again = (await one.browser.get('/account/webhook-deliveries?limit=1')).body.deliveries[0];
  assert.equal(again.status, 'pending');
  assert.notEqual(again.nextAttemptAt, null);
});

test('the webhook secret is shown and rotated', async () => {
  const { browser } = await person('secret@example.com');
  const before = (await browser.get('/account/webhook-secret')).body.secret;
  const rotated = (await browser.post('/account/webhook-secret/rotate')).body;
  assert.match(rotated.secret, /^whsec_/);
  assert.notEqual(rotated.secret, before);
  assert(Date.parse(rotated.previousUntil) > Date.now());
  assert.equal((await browser.get('/account/webhook-secret')).body.secret, rotated.secret);
});

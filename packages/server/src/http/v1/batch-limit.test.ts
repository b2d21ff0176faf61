import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setPlan } from '../../accounts/testing/set-plan.ts';
import { createTask } from '../../tasks/create-task.ts';
import { newBatch } from '../../tasks/testing/task-fixtures.ts';
import { openRaw } from '../testing/raw-request.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
let accountId: string;
let apiKey: string;
before(async () => {
  app = await startTestApp();
  ({ accountId, apiKey } = await app.newKey());
  await setPlan(app.deps.database, accountId, 'free');
});
after(() => app.close());

/**
 * A POST that announces a body and sends it only when it is asked for. @returns the head that came
 * back first.
 */
async function announce(query = '', headers: readonly string[] = []): Promise<string> {
  const lines = [
    `POST /v1/batch-swap${query} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    'Content-Length: 700000000',
    'Expect: 100-continue',
    ...headers,
  ];
  const connection = openRaw(app.port, `${lines.join('\r\n')}\r\n\r\n`);
  const head = await connection.until(/\r\n\r\n/);
  connection.socket.destroy();
  return head;
}

/** Reads what is left of the minute and of the day, after the request that asks. */
async function requestsLeft(): Promise<number[]> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return leftIn((await fetch(`${app.url}/v1/status/job_none`, { headers })).headers.get('ratelimit')!);
}

const leftIn = (rateLimit: string): number[] =>
  Array.from(rateLimit.matchAll(/;r=(\d+);/g), ([, left]) => Number(left));

test('a batch beyond the plan is refused before its body is sent; a quote and a replay are asked for theirs', async () => {
  const { database } = app.deps;
  assert.match(await announce(), /^HTTP\S+ 100 /);
  const idempotency = { key: 'known', fingerprint: Buffer.alloc(32) };
  const { task } = await createTask(database, await newBatch(database, accountId), {
    ...idempotency,
    answer: () => ({ status: 202, body: {} }),
  });
  assert(task);
  const [minute, day] = await requestsLeft();
  const refused = await announce();
  assert.match(refused, /^HTTP\S+ 429 /);
  assert.deepEqual(
    leftIn(/^ratelimit: .*$/im.exec(refused)![0]),
    [minute, day],
    'nor do its headers count it',
  );
  assert.match(await announce('', ['Idempotency-Key: new']), /^HTTP\S+ 429 /);
  assert.deepEqual(await requestsLeft(), [minute! - 1, day! - 1], 'what is refused with 429 does not count');
  assert.match(await announce('', ['Idempotency-Key: known']), /^HTTP\S+ 100 /);
  assert.match(await announce('?dryRun=true'), /^HTTP\S+ 100 /);
  await setPlan(database, accountId, 'pro');
  assert.match(await announce(), /^HTTP\S+ 100 /);
  await setPlan(database, accountId, 'enterprise');
  assert.match(await announce(), /^HTTP\S+ 100 /);
});

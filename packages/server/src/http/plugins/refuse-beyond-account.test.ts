import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setPlan } from '../../accounts/testing/set-plan.ts';
import { createTask } from '../../tasks/create-task.ts';
import { newOutput, newPhoto } from '../../tasks/testing/task-fixtures.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

const WAITING_TASKS = 2;

let app: TestApp;
before(async () => {
  const limits = { GUISE_MAX_WAITING_TASKS: `1,${WAITING_TASKS},9`, GUISE_MAX_RESULTS_GIB: '0,1,0' };
  app = await startTestApp(limits);
});
after(() => app.close());

/** A POST without a body: what is refused by its head alone is. */
async function post(path: string, apiKey: string, headers: Record<string, string> = {}): Promise<Response> {
  const contentType = path.startsWith('/v1') ? 'application/json' : 'multipart/form-data; boundary=x';
  return fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': contentType, ...headers },
  });
}

const left = (response: Response): string => /;r=(\d+)/.exec(response.headers.get('ratelimit')!)![1]!;

test('a task beyond the waiting ones is 429 on both interfaces, which names the limit and counts for nothing', async () => {
  const { database } = app.deps;
  const { accountId, apiKey } = await app.newKey();
  await setPlan(database, accountId, 'pro');
  await createTask(database, await newPhoto(database, accountId));
  const allowed = await post('/api/ai-tasks', apiKey);
  assert.equal(allowed.status, 400);
  await createTask(database, await newPhoto(database, accountId), {
    key: 'known',
    fingerprint: Buffer.alloc(32),
    answer: (taskId) => ({ status: 200, body: { taskId } }),
  });

  const message = 'Your plan allows 2 waiting tasks at a time; try again in 30 seconds.';
  const refused = await post('/api/ai-tasks', apiKey);
  assert.equal(refused.status, 429);
  assert.deepEqual(await refused.json(), {
    error: message,
    code: 'RATE_LIMITED',
    limit: WAITING_TASKS,
    resetSeconds: 30,
  });
  assert.equal(refused.headers.get('retry-after'), '30');
  assert.equal(left(refused), left(allowed));

  for (const path of ['image-swap', 'video-swap', 'batch-swap']) {
    const response = await post(`/v1/${path}`, apiKey);
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '30');
    const { request_id: _, ...body } = (await response.json()) as Record<string, unknown>;
    const limit = { limit: WAITING_TASKS, reset_seconds: 30 };
    assert.deepEqual(body, { success: false, error: 'RATE_LIMITED', message, ...limit });
  }
  // Quotes, detections and replays are no tasks.
  for (const path of [
    '/api/ai-tasks?dryRun=true',
    '/api/ai-tasks/detect-faces',
    '/v1/image-swap?dryRun=true',
  ]) {
    assert.equal((await post(path, apiKey)).status, 400, path);
  }
  assert.equal((await post('/api/ai-tasks', apiKey, { 'idempotency-key': 'known' })).status, 400);
  assert.equal((await post('/api/ai-tasks', apiKey, { 'idempotency-key': 'new' })).status, 429);
});

test('so is one while the results of the account fill its room', async () => {
  const { database } = app.deps;
  const { accountId, apiKey } = await app.newKey();
  await setPlan(database, accountId, 'pro');
  const { task } = await createTask(database, await newPhoto(database, accountId));
  const { objectKey } = await newOutput(database, accountId, task!.id);
  await database.pool.query('update objects set size_bytes = 2 ^ 30 where key = $1', [objectKey]);
  const refused = await post('/api/ai-tasks', apiKey);
  assert.equal(refused.status, 429);
  const body = (await refused.json()) as { error: string; limit: number; resetSeconds: number };
  assert.match(
    body.error,
    /^Your plan stores up to 1 GiB of results, and this limit is reached. The oldest result is deleted in \d+ s/,
  );
  assert.equal(body.limit, 2 ** 30);
  assert(body.resetSeconds > 80_000);
});

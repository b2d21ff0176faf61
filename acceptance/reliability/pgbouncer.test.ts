/**
 * The whole service with its database behind PgBouncer in transaction mode, and listening and
 * migrations past it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { checkLedger } from '@guise/server/credits/check-ledger.ts';
import { createTestDatabase, type TestDatabase } from '@guise/server/db/test-database.ts';
import { NO_PGBOUNCER, type PgBouncer, startPgBouncer } from '@guise/server/db/test-pgbouncer.ts';
import { type Receiver, startReceiver } from '@guise/server/webhooks/testing/receiver.ts';
import { Client, photo } from '../ai-tasks/client.ts';
import { makeDataDir, removeDataDir, type Service, startService, type TestAccount } from '../service.ts';
import { V1Client } from '../v1/client.ts';
import { until } from './processes.ts';

const { face, body } = await readSampleFaces();

describe('behind PgBouncer', { skip: NO_PGBOUNCER }, () => {
  let database: TestDatabase;
  let pgbouncer: PgBouncer;
  let dataDir: string;
  let service: Service;
  let receiver: Receiver;
  let account: TestAccount;
  before(async () => {
    database = await createTestDatabase();
    pgbouncer = await startPgBouncer(database.url);
    dataDir = await makeDataDir();
    receiver = await startReceiver(() => 200);
    const env = {
      DATABASE_URL: pgbouncer.url,
      DATABASE_DIRECT_URL: database.url,
      GUISE_DATABASE_POOLED: '1',
      GUISE_ALLOW_PRIVATE_URLS: '1',
    };
    service = await startService({ dataDir, env });
    account = await service.createAccount({ email: 'pooled@example.com', plan: 'enterprise' });
  });
  after(async () => {
    await service.stop();
    await receiver.close();
    await removeDataDir(dataDir);
    await pgbouncer.stop();
    await database.close();
  });

  test('ten photos at once complete, each once', async () => {
    const client = new Client(service.url, account);
    const tasks = await Promise.all(Array.from({ length: 10 }, () => client.run(photo(face, body))));
    for (const task of tasks) assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.equal(new Set(tasks.map(({ result }) => result.outputs[0].url)).size, 10);
  });

  test('a batch delivers its items in order', async () => {
    const client = new Client(service.url, account, '/api/ai-tasks/batch-face-swap');
    const task = await client.run([
      ['mode', 'singleToMulti'],
      ['sourceImages', { bytes: face }],
      ...Array.from({ length: 4 }, () => ['targetImages', { bytes: body }] as const),
    ]);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.equal(task.result.outputs.length, 4);
  });

  test('a task that waits or runs is cancelled, and pays nothing', async () => {
    const client = new Client(service.url, account);
    const posts = await Promise.all(Array.from({ length: 8 }, () => client.post(photo(face, body))));
    const last = posts.at(-1)!.body.taskId;
    const cancelled = await client.cancel(last);
    // It may have ended before.
    assert([200, 409].includes(cancelled.status), JSON.stringify(cancelled.body));
    const { status, costCredits } = await client.untilTerminal(last);
    if (cancelled.status === 200)
      assert.deepEqual({ status, costCredits }, { status: 'CANCELLED', costCredits: 0 });
    await Promise.all(posts.map((post) => client.untilTerminal(post.body.taskId)));
  });

  test('a webhook is sent, and an answer that waits for its work is woken', async () => {
    const client = new V1Client(service.url, account);
    const accepted = await client.post('batch-swap', {
      source_image: face.toString('base64'),
      target_images: [body.toString('base64')],
      webhook_url: `${receiver.origin}/told`,
    });
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
    const swapped = await client.post('image-swap', {
      source_image: face.toString('base64'),
      target_image: body.toString('base64'),
    });
    assert.equal(swapped.status, 200, JSON.stringify(swapped.body));
    await until('the webhook', () => receiver.requests.length === 1);
    assert.equal(JSON.parse(receiver.requests[0]!.body.toString()).job_id, accepted.body.job_id);
  });

  test('the ledger is exact at the end', async () => {
    assert.deepEqual(await checkLedger(database.db), []);
  });
});

/**
 * PostgreSQL goes away under photos and a batch, and another server comes up behind the same name:
 * nothing that was accepted is lost, and no process of the service has to start again.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { checkLedger } from '@guise/server/credits/check-ledger.ts';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { startRelay } from '@guise/server/db/testing/relay.ts';
import sharp from 'sharp';
import { type Answer, Client, photo } from '../ai-tasks/client.ts';
import { makeDataDir, removeDataDir, startService } from '../service.ts';
import { findProcesses, until } from './processes.ts';

const COST = 3;
const CREDITS = 1000;
/** Time without any server; a task's lease ends within it. */
const AWAY_MS = 17_000;

const { face, body } = await readSampleFaces();
/** Big enough to be in hand when the server goes. */
const big = await sharp(body).resize(3500).png({ compressionLevel: 1 }).toBuffer();

const [first, second, dataDir] = await Promise.all([makeDataDir(), makeDataDir(), makeDataDir()]);
const server = await openEmbedded(first, { role: 'service' });
const relay = await startRelay(server.url);
const service = await startService({ dataDir, env: { DATABASE_URL: relay.url } });
const servers = [server];
after(async () => {
  await service.stop();
  await relay.close();
  for (const each of servers) await each.stop();
  await Promise.all([first, second, dataDir].map(removeDataDir));
});

test('what was accepted before a failover completes after it, charged once', async () => {
  const account = await service.createAccount({
    email: 'failover@example.com',
    plan: 'enterprise',
    credits: CREDITS,
  });
  const photos = new Client(service.url, account);
  const batches = photos.at('/api/ai-tasks/batch-face-swap');
  const batch = await batches.post([
    ['mode', 'singleToMulti'],
    ['sourceImages', { bytes: face }],
    ...[body, big, big].map((bytes) => ['targetImages', { bytes }] as const),
  ]);
  const posts = await Promise.all([
    ...Array.from({ length: 2 }, () => photos.post(photo(face, big))),
    ...Array.from({ length: 6 }, () => photos.post(photo(face, body))),
  ]);
  for (const { status, body: answer } of [batch, ...posts]) assert.equal(status, 200, JSON.stringify(answer));
  await until('work is in hand', async () => (await statusOf(photos, posts[0]!)) === 'PROCESSING');
  const processes = await findProcesses(service.pid, 'server/src/main/');

  relay.cut();
  await server.stop();
  const away = delay(AWAY_MS);
  mkdirSync(second, { mode: 0o711 });
  execFileSync('cp', ['-a', path.join(first, 'postgres'), second]);
  const refused = await photos.post(photo(face, body));
  assert(refused.status >= 500, `a task was accepted without a database: ${refused.status}`);
  const other = await openEmbedded(second, { role: 'service' });
  servers.push(other);
  await away;
  relay.pointTo(other.url);

  await until(
    'the service answers again',
    async () => (await photos.get(posts[0]!.body.taskId)).status === 200,
  );
  for (const { body: answer } of posts) {
    const task = await photos.untilTerminal(answer.taskId);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.equal((await fetch(task.result.outputs[0].url)).status, 200);
  }
  const { status, result } = await batches.untilTerminal(batch.body.taskId);
  assert.deepEqual([status, result.outputs.length], ['COMPLETED', 3]);
  const shown = JSON.parse(await service.guise('account', 'show', '--email', account.email, '--json'));
  const spent = COST * (posts.length + 3);
  assert.deepEqual(shown.credits, { available: CREDITS - spent, held: 0 });
  const db = openDatabase(other.url, { poolSize: 1 });
  assert.deepEqual(await checkLedger(db).finally(() => db.close()), []);
  assert.deepEqual(await findProcesses(service.pid, 'server/src/main/'), processes);

  const later = await photos.run(photo(face, body));
  assert.equal(later.status, 'COMPLETED');
});

async function statusOf(client: Client, { body: answer }: Answer): Promise<string> {
  return (await client.get(answer.taskId)).body.status;
}

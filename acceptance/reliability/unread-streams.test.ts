import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { createApiKey } from '@guise/server/accounts/api-keys.ts';
import { openDatabase, type Database } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { createTask } from '@guise/server/tasks/create-task.ts';
import { newAccount, newPhoto } from '@guise/server/tasks/testing/task-fixtures.ts';
import { Client, photo } from '../ai-tasks/client.ts';
import { Follower } from '../fuzz/follower.ts';
import { makeDataDir, removeDataDir, startService } from '../service.ts';
import { findProcesses, until } from './processes.ts';

const ACCOUNTS = 20;
const STREAMS_OF_AN_ACCOUNT = 10;
/** Tasks of each account: with names as long as these, more than the kernel takes for a client. */
const TASKS = 75;
const NAME_LENGTH = 80_000;
/** Heap of the API: more than its own and what streams may hold, less than all tasks and copies. */
const HEAP_LIMIT_MEBIBYTES = 192;
const MAX_GROWTH_BYTES = 250e6;

const dataDir = await makeDataDir();
const service = await startService({
  dataDir,
  env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_LIMIT_MEBIBYTES}` },
});
const sockets: Socket[] = [];
after(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
  await removeDataDir(dataDir);
});

async function findApi(): Promise<number> {
  const [pid] = await findProcesses(service.pid, '/server.ts');
  return pid!;
}

async function readBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)![1]);
}

function openUnread(apiKey: string): void {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `GET /api/ai-tasks/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
  );
  sockets.push(socket);
}

/** Makes an account with streams that nobody reads, and tasks of which they tell. */
async function makeUnreadAccount(db: Database): Promise<void> {
  const accountId = await newAccount(db, 0, 'enterprise');
  const { secret } = await createApiKey(db.pool, accountId, 'key');
  for (let k = 0; k < STREAMS_OF_AN_ACCOUNT; k++) openUnread(secret);
  for (let k = 0; k < TASKS; k++) {
    const order = await newPhoto(db, accountId, 0);
    // A slot is kept for the reader's photos, which are short work.
    await createTask(db, { ...order, lane: 'long', parameters: { name: 'x'.repeat(NAME_LENGTH) } });
  }
}

test(
  'two hundred streams that nobody reads cost little memory and hold up nobody',
  { skip: process.platform === 'linux' ? false : 'memory is read from /proc' },
  async (context) => {
    const embedded = await openEmbedded(dataDir, { role: 'visitor' });
    const db = openDatabase(embedded.url, { poolSize: 4 });
    const reader = await service.createAccount({ email: 'reader@example.com' });
    const client = new Client(service.url, reader);
    const { face, body } = await readSampleFaces();
    await client.run(photo(face, body));
    const api = await findApi();
    const idleBytes = await readBytes(api);
    await Promise.all(Array.from({ length: ACCOUNTS }, () => makeUnreadAccount(db)));
    const follower = new Follower({ url: service.url, apiKey: reader.apiKey });
    await until('the stream of the reader is open', () => follower.connections > 0);
    let mostBytes = 0;
    const lateMs: number[] = [];
    for (let round = 0; round < 8; round++) {
      const accepted = await client.post(photo(face, body));
      assert.equal(accepted.status, 200);
      const since = performance.now();
      const { taskId } = accepted.body;
      await until('the reader hears of its task', () => follower.statuses.has(taskId));
      lateMs.push(performance.now() - since);
      mostBytes = Math.max(mostBytes, await readBytes(api));
      await delay(500);
    }
    await follower.leave();
    await db.close();
    await embedded.stop();
    const grownBytes = mostBytes - idleBytes;
    context.diagnostic(
      `grown by ${Math.round(grownBytes / 1e6)} MB; late by ${lateMs.map(Math.round).join(', ')} ms`,
    );
    assert.equal(await findApi(), api, 'the API ran out of memory');
    assert.ok(grownBytes <= MAX_GROWTH_BYTES, `the API grew by ${grownBytes} bytes`);
  },
);

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { createTask } from '@guise/server/tasks/create-task.ts';
import { newPhoto } from '@guise/server/tasks/testing/task-fixtures.ts';
import { Client, photo } from '../ai-tasks/client.ts';
import { Follower } from '../fuzz/follower.ts';
import { makeDataDir, removeDataDir, startService, type TestAccount } from '../service.ts';
import { findProcesses, until } from './processes.ts';

const ACCOUNTS = 20;
const STREAMS_OF_AN_ACCOUNT = 10;
/** Tasks of each account: with names as long as these, more than the kernel takes for a client. */
const TASKS = 150;
const NAME_LENGTH = 40_000;
const MAX_GROWTH_BYTES = 250e6;

const dataDir = await makeDataDir();
const service = await startService({ dataDir });
const sockets: Socket[] = [];
after(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
  await removeDataDir(dataDir);
});

async function apiBytes(): Promise<number> {
  const [pid] = await findProcesses(service.pid, '/server.ts');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)![1]);
}

function openUnread({ apiKey }: TestAccount): void {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `GET /api/ai-tasks/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
  );
  sockets.push(socket);
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
    const idleBytes = await apiBytes();
    for (let i = 0; i < ACCOUNTS; i++) {
      const account = await service.createAccount({ email: `unread-${i}@example.com`, plan: 'enterprise' });
      for (let k = 0; k < TASKS; k++) {
        const order = await newPhoto(db, account.accountId, 0);
        // A slot is kept for the reader's photos, which are short work.
        const parameters = { name: 'x'.repeat(NAME_LENGTH) };
        await createTask(db, { ...order, lane: 'long', parameters });
      }
      for (let k = 0; k < STREAMS_OF_AN_ACCOUNT; k++) openUnread(account);
    }
    const follower = new Follower({ url: service.url, apiKey: reader.apiKey });
    let mostBytes = 0;
    const lateMs: number[] = [];
    for (let round = 0; round < 8; round++) {
      const accepted = await client.post(photo(face, body));
      assert.equal(accepted.status, 200);
      const since = performance.now();
      const { taskId } = accepted.body;
      await until('the reader hears of its task', () => follower.statuses.has(taskId));
      lateMs.push(performance.now() - since);
      mostBytes = Math.max(mostBytes, await apiBytes());
      await delay(500);
    }
    await follower.leave();
    await db.close();
    await embedded.stop();
    const grownBytes = mostBytes - idleBytes;
    context.diagnostic(
      `grown by ${Math.round(grownBytes / 1e6)} MB; late by ${lateMs.map(Math.round).join(', ')} ms`,
    );
    assert.ok(grownBytes <= MAX_GROWTH_BYTES, `the API grew by ${grownBytes} bytes`);
  },
);

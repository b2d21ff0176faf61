/**
 * What a poll is measured against: a bare fastify route with the service's own statement, a pool like the service's and
 * nothing else. `bare-server.ts DATA_DIR KEY`; prints its URL, ends when its parent goes.
 */
import Fastify from 'fastify';
import { hashApiKey } from '@guise/server/accounts/api-keys.ts';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { admitAndReadTask } from '@guise/server/tasks/admit-and-read-task.ts';
import type { Task } from '@guise/server/tasks/task.ts';

const [dataDir, apiKey] = process.argv.slice(2) as [string, string];
const keyHash = hashApiKey(apiKey)!;
const { url } = await openEmbedded(dataDir, { role: 'visitor' });
const db = openDatabase(url, { poolSize: 10, durable: false });
const app = Fastify();
app.get<{ Querystring: { taskId: string } }>('/task', (request) => readTask(request.query.taskId));
process.on('disconnect', () => process.exit());
process.send!(await app.listen({ host: '127.0.0.1', port: 0 }));

async function readTask(taskId: string): Promise<Task | null> {
  const poll = await admitAndReadTask(db, {
    keyHash,
    bucket: 'ai-tasks:read',
    clientAddress: null,
    taskId,
    interface: 'ai-tasks',
    types: ['IMAGE_SWAP'],
  });
  return poll.task;
}

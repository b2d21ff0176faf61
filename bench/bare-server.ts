/**
 * Baseline for polls and creates: bare fastify routes with the service's statements and a pool like
 * the service's. The body of a create is read and discarded.
 *
 * Is started as `bare-server.ts DATA_DIR KEY`. Sends its URL to its parent, and ends with its
 * parent.
 */
import Fastify from 'fastify';
import { admit } from '@guise/server/accounts/admit.ts';
import { hashApiKey } from '@guise/server/accounts/api-keys.ts';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { registerObjects } from '@guise/server/storage/objects.ts';
import { admitAndReadTask } from '@guise/server/tasks/admit-and-read-task.ts';
import { createTask } from '@guise/server/tasks/create-task.ts';
import type { StoredInput, Task } from '@guise/server/tasks/task.ts';
import { newStorageKey } from '@guise/server/storage/storage.ts';

const [dataDir, apiKey] = process.argv.slice(2) as [string, string];
const keyHash = hashApiKey(apiKey)!;
const { url } = await openEmbedded(dataDir, { role: 'visitor' });
const db = openDatabase(url, { poolSize: 10 });
const readDb = openDatabase(url, { poolSize: 10, durable: false });
const app = Fastify();
app.addContentTypeParser('multipart/form-data', (_request, body, done) => {
  body.on('end', () => done(null)).resume();
});
app.get<{ Querystring: { taskId: string } }>('/task', (request) => readTask(request.query.taskId));
app.post('/task', createPhoto);
process.on('disconnect', () => process.exit());
process.send!(await app.listen({ host: '127.0.0.1', port: 0 }));

async function readTask(taskId: string): Promise<Task | null> {
  const poll = await admitAndReadTask(readDb, {
    keyHash,
    bucket: 'ai-tasks:read',
    clientAddress: null,
    taskId,
    interface: 'ai-tasks',
    types: ['IMAGE_SWAP'],
  });
  return poll.task;
}

async function createPhoto(): Promise<{ taskId: string }> {
  const admission = await admit(db, { keyHash, bucket: 'ai-tasks', clientAddress: null });
  const accountId = admission.account!.id;
  const source = describeInput('sourceImage');
  const target = describeInput('targetImage');
  const deleteAfter = new Date(Date.now() + 3_600_000);
  await registerObjects(
    db.pool,
    [source, target].map(({ objectKey, sizeBytes }) => ({
      key: objectKey,
      kind: 'input',
      accountId,
      taskId: null,
      sizeBytes,
      deleteAfter,
    })),
  );
  const { task } = await createTask(db, {
    accountId,
    interface: 'ai-tasks',
    type: 'IMAGE_SWAP',
    lane: 'short',
    parameters: { sourceImage: source, targetImage: target },
    work: {
      kind: 'swap-image',
      source,
      target,
      restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    },
    costCredits: 3,
  });
  return { taskId: task!.id };
}

function describeInput(field: string): StoredInput {
  return {
    field,
    objectKey: newStorageKey('input', 'jpg'),
    fileName: 'a.jpg',
    contentType: 'image/jpeg',
    sizeBytes: 10_000,
    sha256: '0'.repeat(64),
    width: 256,
    height: 256,
  };
}

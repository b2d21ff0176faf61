import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTask } from '../tasks/create-task.ts';
import type { SwapImageOrder, Task } from '../tasks/task.ts';
import {
  COST,
  credits,
  db,
  ended,
  newAccount,
  realEngine,
  sample,
  startWorker,
  storage,
  storeInput,
} from './testing/worker-rig.ts';

async function submit(wanted: Pick<SwapImageOrder, 'faceIndex' | 'output'>): Promise<Task> {
  const accountId = await newAccount();
  const { task } = await createTask(db, {
    accountId,
    interface: 'v1',
    type: 'IMAGE_SWAP',
    lane: 'short',
    parameters: {},
    work: {
      kind: 'swap-image',
      source: await storeInput(accountId, 'source_image', sample.face),
      target: await storeInput(accountId, 'target_image', sample.body),
      restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
      ...wanted,
    },
    costCredits: COST,
  });
  assert.ok(task !== null);
  return task;
}

test('a photo comes out in the format and no larger than ordered, its file of that type', async (context) => {
  startWorker(context, [await realEngine()]);
  for (const [format, contentType, extension] of [
    ['webp', 'image/webp', '.webp'],
    ['png', 'image/png', '.png'],
    ['jpeg', 'image/jpeg', '.jpg'],
  ] as const) {
    const task = await ended(await submit({ faceIndex: 0, output: { format, maxLongSide: 1000 } }));
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
    const [output] = task.result!.outputs;
    assert.deepEqual([output?.contentType, output?.width, output?.height], [contentType, 1000, 1000]);
    assert.ok(output!.objectKey.endsWith(extension), output!.objectKey);
    assert.equal(await storage.sizeBytes(output!.objectKey), output!.sizeBytes);
    const registered = 'select size_bytes from objects where key = $1';
    const { rows } = await db.pool.query(registered, [output!.objectKey]);
    assert.deepEqual(rows, [{ size_bytes: output!.sizeBytes }]);
  }
});

test('a face that is not there fails the task with how many there are, and costs nothing', async (context) => {
  startWorker(context, [await realEngine()]);
  const task = await ended(await submit({ faceIndex: 7 }));
  assert.equal(task.status, 'FAILED');
  assert.deepEqual(task.error, {
    code: 'FACE_NOT_FOUND',
    message: 'The only face of the target image is face 0: there is no face 7.',
  });
  assert.equal((await credits(task)).available, 30);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWatermark } from '@guise/media/watermark/read-watermark.ts';
import type { Task } from '../tasks/task.ts';
import { knowsWatermark } from '../storage/watermarks.ts';
import {
  db,
  ended,
  newAccount,
  realEngine,
  sample,
  startWorker,
  storage,
  storeInput,
  submitOrder,
} from './testing/worker-rig.ts';

const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };

/** Returns the ids of the watermarks in a task's outputs, and what its receipt says. */
async function idsOf(task: Task): Promise<{ ids: (string | undefined)[]; isTold: boolean }> {
  const { status, error, result } = await ended(task);
  assert.equal(status, 'COMPLETED', JSON.stringify(error));
  const ids: (string | undefined)[] = [];
  for (const { objectKey, contentType } of result!.outputs)
    await storage.withLocalFile(objectKey, async (file) => {
      ids.push((await readWatermark(file, contentType))?.id);
    });
  return { ids, isTold: result!.receipt!.watermark === true };
}

test('each output has a watermark of its own, which the records know until its task is gone', async (context) => {
  const { stop } = startWorker(context, [await realEngine(), await realEngine()], { watermark: true });
  const accountId = await newAccount();
  const source = await storeInput(accountId, 'sourceImage', sample.face);
  const target = () => storeInput(accountId, 'targetImage', sample.body);
  const photo = await submitOrder(accountId, 'IMAGE_SWAP', {
    kind: 'swap-image',
    source: await storeInput(accountId, 'sourceImage', sample.face),
    target: await target(),
    restore,
  });
  const batch = await submitOrder(accountId, 'BATCH_FACE_SWAP', {
    kind: 'swap-batch',
    items: [
      { source, target: await target() },
      { source, target: await target() },
    ],
    restore,
  });
  const [one, two] = [await idsOf(photo), await idsOf(batch)];
  assert.ok(one.isTold && two.isTold);
  const ids = [...one.ids, ...two.ids];
  assert.equal(new Set(ids).size, 3, ids.join());
  for (const id of ids) assert.equal(await knowsWatermark(db.pool, id!), true, id);
  assert.equal(await knowsWatermark(db.pool, '000000000000'), false);
  await db.pool.query('delete from tasks where id = $1', [photo.id]);
  assert.equal(await knowsWatermark(db.pool, one.ids[0]!), false);
  await stop();
});

test('where the operator turned it off, there is none', async (context) => {
  startWorker(context, [await realEngine()], { watermark: false });
  const accountId = await newAccount();
  const photo = await submitOrder(accountId, 'IMAGE_SWAP', {
    kind: 'swap-image',
    source: await storeInput(accountId, 'sourceImage', sample.face),
    target: await storeInput(accountId, 'targetImage', sample.body),
    restore,
  });
  assert.deepEqual(await idsOf(photo), { ids: [undefined], isTold: false });
});

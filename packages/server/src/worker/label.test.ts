import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { LabelMode } from '@guise/contract/work.ts';
import sharp from 'sharp';
import type { Task } from '../tasks/task.ts';
import {
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

/** Submits a photo, a batch of two and a GIF of two pictures, as they were accepted. */
async function submitAll(label?: boolean): Promise<Task[]> {
  const accountId = await newAccount();
  const source = () => storeInput(accountId, 'sourceImage', sample.face);
  const target = () => storeInput(accountId, 'targetImage', sample.body);
  const pictures = [0, 1].map((k) =>
    sharp(sample.face).extend({ right: 200, left: k }).resize(456, 256).toBuffer(),
  );
  const animation = await sharp(await Promise.all(pictures), { join: { animated: true } })
    .gif()
    .toBuffer();
  const gif = await storeInput(accountId, 'targetGif', animation);
  const shared = await source();
  return [
    await submitOrder(accountId, 'IMAGE_SWAP', {
      kind: 'swap-image',
      source: await source(),
      target: await target(),
      restore,
      label,
    }),
    await submitOrder(accountId, 'BATCH_FACE_SWAP', {
      kind: 'swap-batch',
      items: [
        { source: shared, target: await target() },
        { source: shared, target: await target() },
      ],
      restore,
      label,
    }),
    await submitOrder(accountId, 'GIF_FACE_SWAP', {
      kind: 'swap-gif',
      source: await source(),
      target: { ...gif, contentType: 'image/gif', durationSeconds: 0.3 },
      restore,
      label,
    }),
  ];
}

/** Returns the pixels of all outputs of the tasks, and what the receipts say of the label. */
async function outcomes(
  tasks: readonly Task[],
): Promise<{ pictures: Buffer[]; labels: (true | undefined)[] }> {
  const pictures: Buffer[] = [];
  const labels: (true | undefined)[] = [];
  for (const task of tasks) {
    const { status, error, result } = await ended(task);
    assert.equal(status, 'COMPLETED', JSON.stringify(error));
    labels.push(result!.receipt!.label);
    for (const { objectKey } of result!.outputs)
      await storage.withLocalFile(objectKey, async (file) => {
        pictures.push(await sharp(file, { animated: true }).removeAlpha().raw().toBuffer());
      });
  }
  return { pictures, labels };
}

const workers = async (label: LabelMode, context: TestContext) =>
  startWorker(context, [await realEngine(), await realEngine()], { label });

test('results get the label if their task or the operator wants it, and the receipt says so', async (context) => {
  const onRequest = await workers('on-request', context);
  const plain = await outcomes(await submitAll());
  const asked = await outcomes(await submitAll(true));
  await onRequest.stop();
  // These tasks are accepted before the operator's worker starts.
  const waiting = await submitAll(false);
  await workers('always', context);
  const always = await outcomes(waiting);

  assert.deepEqual(plain.labels, [undefined, undefined, undefined]);
  assert.deepEqual(asked.labels, [true, true, true]);
  assert.equal(asked.pictures.length, 4);
  for (const [k, picture] of asked.pictures.entries())
    assert.ok(!picture.equals(plain.pictures[k]!), `picture ${k}`);
  assert.deepEqual(always.labels, [true, true, true]);
  for (const [k, picture] of always.pictures.entries())
    assert.ok(picture.equals(asked.pictures[k]!), `picture ${k}`);
});

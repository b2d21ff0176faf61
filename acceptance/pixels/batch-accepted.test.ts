/**
 * `/api/ai-tasks/batch-face-swap`: what is answered with 200, every sentence of the spec and the
 * decisions a test.
 */
import './without-watermark.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { BATCH, batch, batchClient, newBatchClient, two } from '../ai-tasks/batch-setup.ts';
import { type Answer, assertError } from '../ai-tasks/client.ts';
import { MIB, UUID, body, client, face, noFace, padded, target } from '../ai-tasks/photo-setup.ts';

const indexes = (list: { index: number }[]): number[] => list.map(({ index }) => index);
/** Header and a little more: the damage shows when it is decoded. */
const damaged = (await sharp(body).jpeg().toBuffer()).subarray(0, 4000);
/** A photo that is in work for a while. */
const big = await sharp(body).resize(4000).png({ compressionLevel: 1 }).toBuffer();

const shown = (name: string, type: string, bytes: number) => ({ name, type, bytes, width: 256, height: 256 });

async function pixelsOf(url: string): Promise<Buffer> {
  return sharp(await (await fetch(url)).arrayBuffer())
    .raw()
    .toBuffer();
}

async function until(taskId: string, isSo: (task: Answer['body']) => boolean): Promise<Answer['body']> {
  for (const deadline = performance.now() + 180_000; performance.now() < deadline; await delay(20)) {
    const { status, body: task } = await batchClient.get(taskId);
    assert.equal(status, 200, JSON.stringify(task));
    if (isSo(task)) return task;
  }
  throw new Error('it never came true');
}

describe('200', () => {
  test('singleToMulti: one output a target, in their order, each of its own type', async () => {
    const targets = [
      { bytes: target, name: 'a.png' },
      { bytes: await sharp(face).jpeg().toBuffer(), name: 'b.jpg' },
      { bytes: await sharp(face).webp().toBuffer(), name: 'c.webp' },
      { bytes: await sharp(face).avif({ effort: 0 }).toBuffer(), name: 'd.avif' },
    ];
    const accepted = await batchClient.post(
      batch('singleToMulti', [face], targets, [['restoreVisibility', '0.5']]),
    );
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    assert.match(accepted.body.taskId, UUID);
    assert.deepEqual(accepted.body, { taskId: accepted.body.taskId, status: 'PENDING', requiredCredits: 12 });
    const task = await batchClient.untilTerminal(accepted.body.taskId);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.equal(task.taskType, 'BATCH_FACE_SWAP');
    assert.equal(task.costCredits, 12);
    assert.deepEqual(task.parameters, {
      mode: 'singleToMulti',
      faceRestoreVisibility: 1,
      restoreVisibility: 0.5,
      sourceImages: [shown('image', 'image/jpeg', face.length)],
      targetImages: ['image/png', 'image/jpeg', 'image/webp', 'image/avif'].map((type, at) =>
        shown(targets[at]!.name, type, targets[at]!.bytes.length),
      ),
    });
    assert.deepEqual(Object.keys(task.result).sort(), ['failures', 'outputs', 'receipt']);
    assert.deepEqual(task.result.failures, []);
    assert.deepEqual(indexes(task.result.outputs), [0, 1, 2, 3]);
    const types = task.result.outputs.map(({ contentType }: { contentType: string }) => contentType);
    assert.deepEqual(types, ['image/png', 'image/jpeg', 'image/webp', 'image/png']);
    for (const output of task.result.outputs) {
      const bytes = Buffer.from(await (await fetch(output.url)).arrayBuffer());
      assert.equal(createHash('sha256').update(bytes).digest('hex'), output.sha256);
      assert.equal(bytes.length, output.bytes);
      assert.equal(`image/${(await sharp(bytes).metadata()).format}`, output.contentType);
    }
    const { receipt } = task.result;
    assert.deepEqual(receipt.frames, { total: 4, swapped: 4, passedThrough: 0 });
    assert.equal(receipt.facesFound, 4);
    assert.equal(receipt.credits, 12);
    assert.ok(receipt.identitySimilarity >= 0 && receipt.identitySimilarity <= 1);
  });

  test('multiToSingle: one output a source, in their order, of the type of the target', async () => {
    const task = await batchClient.run(batch('multiToSingle', [face, noFace, body], [body]));
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.deepEqual(indexes(task.result.outputs), [0, 2]);
    assert.deepEqual(task.result.failures, [
      { index: 1, code: 'NO_FACE_DETECTED', message: 'No face was found in the source image.' },
    ]);
    const [first, second] = task.result.outputs;
    assert.deepEqual([first.contentType, first.width, first.height], ['image/jpeg', 1200, 1200]);
    assert.notEqual(first.sha256, second.sha256);
  });

  test('an output is the very one that a photo task would make', async () => {
    const photo = await client.run([
      ['sourceImage', { bytes: face }],
      ['targetImage', { bytes: body }],
    ]);
    const task = await batchClient.run(batch('singleToMulti', [face], [target, body]));
    const alone = await pixelsOf(photo.result.outputs[0].url);
    assert.ok((await pixelsOf(task.result.outputs[1].url)).equals(alone), 'other pixels');
    assert.equal(task.result.receipt.identitySimilarity <= photo.result.receipt.identitySimilarity, true);
  });

  test('items fail alone, with their codes, and are not paid', async () => {
    const own = await newBatchClient({ credits: 12 });
    const task = await own.run(batch('singleToMulti', [face], [noFace, target, damaged, face]));
    assert.equal(task.status, 'COMPLETED');
    assert.equal(task.costCredits, 6);
    assert.equal(task.result.receipt.credits, 6);
    assert.deepEqual(indexes(task.result.outputs), [1, 3]);
    const [first, second] = task.result.failures;
    assert.deepEqual([first.index, first.code], [0, 'NO_FACE_DETECTED']);
    assert.match(first.message, /target image/);
    assert.deepEqual([second.index, second.code], [2, 'DECODE_FAILED']);
    // 6 came back: exactly two more outputs can be paid.
    assertError(await own.post(batch('singleToMulti', [face], [face, face, face])), 402, /./, {
      required: 9,
      available: 6,
    });
    assert.equal((await own.post(two)).status, 200);
  });

  test('when every item fails so does the task, with the first code, the failures listed, nothing charged', async () => {
    for (const [fields, code] of [
      [batch('singleToMulti', [face], [noFace, damaged]), 'NO_FACE_DETECTED'],
      [batch('singleToMulti', [face], [damaged, noFace]), 'DECODE_FAILED'],
      [batch('multiToSingle', [face, face], [noFace]), 'NO_FACE_DETECTED'],
      [batch('singleToMulti', [noFace], [face]), 'NO_FACE_DETECTED'],
    ] as const) {
      const task = await batchClient.run(fields);
      assert.equal(task.status, 'FAILED');
      assert.equal(task.costCredits, 0);
      assert.deepEqual(Object.keys(task.result), ['error', 'failures']);
      assert.equal(task.result.error.code, code);
      assert.equal(task.result.failures[0].code, code);
      assert.deepEqual(indexes(task.result.failures), [...task.result.failures.keys()]);
    }
  });

  test('outputs can be fetched while the rest is in work; cancelling keeps and charges just these', async () => {
    const own = batch('singleToMulti', [face], [face, big, target, big]);
    const { taskId } = (await batchClient.post(own)).body;
    const partial = await until(taskId, ({ status, result }) => {
      assert.ok(status === 'PENDING' || status === 'PROCESSING', status);
      return result?.outputs.length > 0;
    });
    assert.deepEqual(Object.keys(partial.result).sort(), ['outputs', 'progress']);
    assert.ok(partial.result.progress > 0 && partial.result.progress < 1);
    assert.equal(partial.costCredits, 12);
    const cancelled = await batchClient.cancel(taskId);
    assert.equal(cancelled.status, 200);
    const { status, costCredits, result } = cancelled.body;
    assert.equal(status, 'CANCELLED');
    assert.equal(costCredits, 3 * result.outputs.length);
    assert.deepEqual(Object.keys(result).sort(), ['failures', 'outputs', 'receipt']);
    assert.ok(result.outputs.length >= partial.result.outputs.length && result.outputs.length < 4);
    assert.equal(result.receipt.credits, costCredits);
    // On many engines one may be done before an earlier one.
    const [first] = partial.result.outputs;
    assert.deepEqual(
      result.outputs.find(({ index }: { index: number }) => index === first.index),
      first,
    );
    assert.equal((await fetch(result.outputs[0].url)).status, 200);
    // Whatever was still in work has had the time that a whole batch takes.
    assert.equal((await batchClient.run(two)).status, 'COMPLETED');
    assert.deepEqual((await batchClient.get(taskId)).body, cancelled.body, 'and nothing comes after');
    assert.deepEqual((await batchClient.cancel(taskId)).body, cancelled.body);
    assert.equal((await fetch(result.outputs[0].url)).status, 200);
  });

  test('a batch cancelled before its first output costs nothing and shows nothing', async () => {
    const { taskId } = (await batchClient.post(batch('singleToMulti', [face], [big, big]))).body;
    const { body: cancelled } = await batchClient.cancel(taskId);
    assert.deepEqual([cancelled.status, cancelled.costCredits, cancelled.result], ['CANCELLED', 0, null]);
  });

  test('20 images are taken: 1 and 19', async () => {
    const targets = Array.from({ length: 19 }, (_, at) => (at % 5 === 4 ? noFace : target));
    const task = await batchClient.run(batch('singleToMulti', [face], targets));
    assert.equal(task.status, 'COMPLETED');
    assert.equal(task.result.outputs.length, 16);
    assert.deepEqual(indexes(task.result.failures), [4, 9, 14]);
    assert.equal(task.costCredits, 48);
  });

  test('images of exactly 30 MiB, and of exactly 95 MiB together, are taken', async () => {
    const targets = [padded(30 * MIB), padded(30 * MIB), padded(30 * MIB)];
    const source = padded(5 * MIB);
    const task = await batchClient.run(batch('singleToMulti', [source], targets));
    assert.equal(task.status, 'COMPLETED');
    assert.equal(task.result.outputs.length, 3);
  });

  test('a dry run quotes, shows the faces of each file, creates nothing and needs no credits', async () => {
    const poor = await newBatchClient({ credits: 0 });
    const fields = batch('singleToMulti', [face], [target, noFace]);
    const { status, body: quote } = await poor.post(fields, { query: '?dryRun=true' });
    assert.equal(status, 200, JSON.stringify(quote));
    assert.deepEqual(Object.keys(quote).sort(), ['dryRun', 'faces', 'requiredCredits', 'warnings']);
    assert.equal(quote.requiredCredits, 6);
    assert.deepEqual(
      Object.entries(quote.faces).map(([name, faces]) => [name, (faces as unknown[]).length]),
      [
        ['sourceImages[0]', 1],
        ['targetImages[0]', 1],
        ['targetImages[1]', 0],
      ],
    );
    assert.deepEqual(
      quote.warnings.map((each: { field: string; code: string }) => [each.field, each.code]),
      [['targetImages[1]', 'NO_FACE']],
    );
    assertError(
      await poor.post(batch('multiToSingle', [face], [target, face]), { query: '?dryRun=true' }),
      400,
      /^targetImages must hold exactly one image/,
      { limit: 1 },
    );
  });

  test('a quote of twenty images shows the faces of each under its own name; a damaged one is named', async () => {
    const targets = Array.from({ length: 19 }, (_, n) => (n % 3 === 0 ? noFace : target));
    const { status, body: quote } = await batchClient.post(batch('singleToMulti', [face], targets), {
      query: '?dryRun=true',
    });
    assert.equal(status, 200, JSON.stringify(quote));
    assert.deepEqual(
      Object.entries(quote.faces).map(([name, faces]) => [name, (faces as unknown[]).length]),
      [
        ['sourceImages[0]', 1],
        ...targets.map((bytes, n) => [`targetImages[${n}]`, bytes === noFace ? 0 : 1]),
      ],
    );
    const refused = await batchClient.post(
      batch('singleToMulti', [face], [target, damaged, ...targets.slice(2)]),
      {
        query: '?dryRun=true',
      },
    );
    assertError(refused, 400, /targetImages\[1\]/);
  });

  test('the same key and files get the first answer again; in another order they are another request', async () => {
    const own = await newBatchClient({ credits: 6 });
    const headers = { 'idempotency-key': 'batch-1' };
    const first = await own.post(two, { headers });
    assert.equal(first.status, 200);
    const renamed = batch(
      'singleToMulti',
      [{ bytes: face, name: 'x' }],
      [{ bytes: target, name: 'y' }, face],
    );
    const again = await own.post(renamed, { headers });
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assertError(
      await own.post(batch('singleToMulti', [face], [face, target]), { headers }),
      409,
      /Idempotency/,
    );
  });

  for (const file of ['odd/torres.heic', 'odd/torres.heif', 'odd/torres.avif', 'odd/o20_hopper.avif']) {
    test(
      `${file} is taken on either side, and comes back as PNG`,
      { skip: skipWithoutFixtures },
      async () => {
        const picture = await readFile(fixture(file));
        const task = await batchClient.run(batch('singleToMulti', [picture], [picture, face]));
        assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
        assert.deepEqual(task.result.failures, []);
        assert.equal(task.result.outputs[0].contentType, 'image/png');
      },
    );
  }
});

describe('404', () => {
  test('a batch is found on its own path only', async () => {
    const { taskId } = (await batchClient.post(two)).body;
    assertError(await client.get(taskId), 404, /no such task/);
    assertError(await client.cancel(taskId), 404, /no such task/);
    assert.equal((await batchClient.untilTerminal(taskId)).status, 'COMPLETED');
    const photo = await client.post([
      ['sourceImage', { bytes: face }],
      ['targetImage', { bytes: face }],
    ]);
    assertError(await client.call('GET', BATCH, { query: `?taskId=${photo.body.taskId}` }), 404, /./);
  });
});

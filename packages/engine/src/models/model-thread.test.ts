import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ensureModels } from './ensure-models.ts';
import type { ModelFiles } from './ensure-models.ts';
import { Model } from './model.ts';
import { ModelThread } from './model-thread.ts';

const SIDE = 192;

let cacheDir: string;
let files: ModelFiles;

before(async () => {
  cacheDir = await mkdtemp(path.join(tmpdir(), 'guise-models-'));
  files = await ensureModels(cacheDir);
});

after(() => rm(cacheDir, { recursive: true }));

test("a thread's answers are those of the network on this thread, one after the other", async () => {
  const model = await Model.open(files['face-landmarks']);
  const thread = new ModelThread(files['face-landmarks'], SIDE);
  while (!thread.isReady) await setImmediate();
  for (const step of [7, 11]) {
    const fill = (input: Float32Array): void => {
      for (let i = 0; i < input.length; i++) input[i] = ((i * step) % 256) / 255;
    };
    const here = await model.run(SIDE, SIDE, fill, ({ mesh }) => mesh!.slice());
    const there = await thread.run(fill, ({ mesh }) => mesh!);
    assert.ok(here.some((value) => value !== 0));
    assert.ok(Buffer.from(there.buffer).equals(Buffer.from(here.buffer)));
  }
  await Promise.all([model.close(), thread.close()]);
});

test('closed during a run, it ends after it; closed while it starts, it ends too', async () => {
  const thread = new ModelThread(files['face-landmarks'], SIDE);
  while (!thread.isReady) await setImmediate();
  const size = thread.run(
    (input) => input.fill(0),
    ({ mesh }) => mesh!.length,
  );
  await thread.close();
  assert.equal(await size, 478 * 3);
  assert.equal(thread.isReady, false);
  await assert.rejects(
    thread.run(
      () => {},
      () => null,
    ),
  );

  await new ModelThread(files['face-landmarks'], SIDE).close();
});

test('a thread that cannot open its network is never ready, and ends nothing but itself', async () => {
  const thread = new ModelThread(path.join(cacheDir, 'none.onnx'), SIDE);
  await thread.close();
  assert.equal(thread.isReady, false);
});

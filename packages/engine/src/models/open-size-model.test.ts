import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ensureModels } from './ensure-models.ts';
import { fixInputSize } from './fix-input-size.ts';
import { Model } from './model.ts';
import type { Network } from './open-size-model.ts';
import { OpenSizeModel } from './open-size-model.ts';
import { TEST_MODELS } from './testing/test-models.ts';

const file = (await ensureModels(TEST_MODELS)).blazeface;

/** Returns all outputs for a picture of waves. */
function look(model: Network, height: number, width: number): Promise<Buffer> {
  return model.run(
    height,
    width,
    (input) => input.forEach((_, i) => (input[i] = Math.sin(i / 7) * Math.cos(i / width))),
    ({ boxes, logits }) => Buffer.from(Float32Array.of(...boxes!, ...logits!).buffer),
  );
}

test('a network of one size gives what the one of any size gives, to the bit', async () => {
  const [open, fixed] = await Promise.all([
    Model.open(file),
    Model.open(fixInputSize(await readFile(file), 160, 128)),
  ]);
  assert.ok((await look(open, 160, 128)).equals(await look(fixed, 160, 128)));
  await assert.rejects(look(fixed, 128, 160), /INVALID_ARGUMENT|dimensions/i);
  await Promise.all([open.close(), fixed.close()]);
});

test('however often and for however many sizes it is asked, a network of open size says the same', async () => {
  const model = await OpenSizeModel.open(file);
  const sizes = [
    [96, 64],
    [64, 96],
    [64, 64],
    [32, 64],
    [64, 32],
    [96, 96],
    [288, 256],
  ] as const;
  const open = await Model.open(file);
  const first = await Promise.all(sizes.map(([height, width]) => look(open, height, width)));
  for (let round = 0; round < 3; round++) {
    const again = await Promise.all(sizes.map(([height, width]) => look(model, height, width)));
    for (const [k, answer] of again.entries()) assert.ok(answer.equals(first[k]!), `${sizes[k]} ${round}`);
  }
  await Promise.all([model.close(), open.close()]);
});

test('a network that could not be opened for a size is opened by the next who asks', async (context) => {
  const model = await OpenSizeModel.open(file);
  context.mock.method(Model, 'open', () => Promise.reject(new Error('no memory')), { times: 1 });
  await assert.rejects(look(model, 96, 64), /no memory/);
  const open = await Model.open(file);
  assert.ok((await look(model, 96, 64)).equals(await look(open, 96, 64)));
  await Promise.all([model.close(), open.close()]);
});

test('only what is open can be fixed', () => {
  assert.throws(() => fixInputSize(Buffer.from('no network'), 64, 64), /no open height/);
});

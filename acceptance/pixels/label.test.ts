/** The visible label of `/api/ai-tasks` (docs/spec/details#visible-label). */
import './without-watermark.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLabel } from '@guise/media/label/draw-label.ts';
import sharp from 'sharp';
import { assertError, type Fields, photo } from '../ai-tasks/client.ts';
import { body, client, face } from '../ai-tasks/photo-setup.ts';

/** Swaps a photo. @returns the task and the result's pixels */
async function swap(extra: Fields) {
  const task = await client.run(photo(face, await sharp(body).png().toBuffer(), extra));
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
  const bytes = Buffer.from(await (await fetch(task.result.outputs[0].url)).arrayBuffer());
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { task, data, width: info.width, height: info.height };
}

test('label=true puts the label on a photo, task and receipt say so, and all else stays to the bit', async () => {
  const plain = await swap([]);
  const off = await swap([['label', 'false']]);
  const on = await swap([['label', 'true']]);
  const told = [plain, off, on].map(({ task }) => [task.parameters.label, task.result.receipt.label]);
  assert.deepEqual(told, [
    [undefined, undefined],
    [false, undefined],
    [true, true],
  ]);
  assert.ok(off.data.equals(plain.data));
  const { width, height } = plain;
  const label = drawLabel(width, height);
  let [inside, outside] = [0, 0];
  for (let i = 0; i < plain.data.length; i++) {
    if (plain.data[i] === on.data[i]) continue;
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    const isIn = x >= label.x && y >= label.y && x < label.x + label.width && y < label.y + label.height;
    if (isIn) inside += 1;
    else outside += 1;
  }
  assert.equal(outside, 0);
  assert.ok(inside > 2 * label.width * label.height, `${inside} samples`);
});

test('a label that is neither true nor false is refused', async () => {
  for (const value of ['', 'True', '1', 'yes', ' true'])
    assertError(
      await client.post(photo(face, body, [['label', value]])),
      400,
      /^label must be true or false\.$/,
      {
        field: 'label',
      },
    );
});

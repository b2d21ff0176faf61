import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedQueue } from './bounded-queue.ts';
import { filterChain } from './filter-chain.ts';
import { orientationOf, UPRIGHT_ORIENTATION } from './rotation.ts';
import { targetSize } from './target-size.ts';

describe('filterChain', () => {
  const size = { width: 64, height: 48, scaled: false };
  const plan = {
    orientation: UPRIGHT_ORIENTATION,
    size,
    format: 'yuv420p' as const,
    hdr: false,
    deinterlace: false,
  };
  const input = { width: 64, height: 48, format: 'yuv420p' };

  it('leaves a frame alone that is already right, full range included', () => {
    assert.equal(filterChain(plan, input), null);
    assert.equal(filterChain(plan, { ...input, format: 'yuvj420p' }), null);
  });

  it('converts depth and chroma, crops one odd row, deinterlaces and scales what changed size', () => {
    assert.equal(filterChain(plan, { ...input, format: 'yuv422p10le' }), 'format=yuv420p');
    assert.match(filterChain(plan, { ...input, width: 65 }) ?? '', /^crop=64:48:0:0:exact=1,/);
    assert.match(filterChain({ ...plan, deinterlace: true }, input) ?? '', /^bwdif=/);
    assert.match(filterChain(plan, { ...input, width: 128 }) ?? '', /^scale=64:48/);
    assert.match(filterChain({ ...plan, hdr: true }, input) ?? '', /tonemap=/);
  });
});

function matrix(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(36);
  numbers.forEach((value, index) => bytes.writeInt32LE(value * 65_536, index * 4));
  return bytes;
}

describe('orientationOf', () => {
  it('turns by quarters and mirrors as players do', () => {
    assert.deepEqual(orientationOf(matrix(0, 1, 0, -1, 0)).filters, ['transpose=clock']);
    assert.deepEqual(orientationOf(matrix(0, -1, 0, 1, 0)).filters, ['transpose=cclock']);
    assert.deepEqual(orientationOf(matrix(-1, 0, 0, 0, -1)).filters, ['hflip', 'vflip']);
    assert.deepEqual(orientationOf(matrix(1, 0, 0, 0, -1)).filters, ['vflip']);
    assert.deepEqual(orientationOf(matrix(-1, 0, 0, 0, 1)).filters, ['hflip']);
  });
  it('takes a missing, short or senseless matrix as upright', () => {
    for (const bytes of [null, Buffer.alloc(4), Buffer.alloc(36), matrix(0.7, 0.7, 0, -0.7, 0.7)]) {
      assert.deepEqual(orientationOf(bytes), UPRIGHT_ORIENTATION);
    }
  });
});

describe('targetSize', () => {
  it('holds both caps, keeps the aspect, never enlarges', () => {
    assert.deepEqual(targetSize(1920, 1080, { maxShortSide: 720 }, true), {
      width: 1280,
      height: 720,
      scaled: true,
    });
    assert.deepEqual(targetSize(1080, 1920, { maxLongSide: 1280 }, true), {
      width: 720,
      height: 1280,
      scaled: true,
    });
    assert.deepEqual(targetSize(640, 360, { maxShortSide: 720 }, true), {
      width: 640,
      height: 360,
      scaled: false,
    });
    assert.deepEqual(targetSize(641, 361, {}, true), { width: 640, height: 360, scaled: false });
    assert.deepEqual(targetSize(641, 361, {}, false), { width: 641, height: 361, scaled: false });
  });
});

describe('BoundedQueue', () => {
  it('keeps order, makes the producer wait, and passes a failure to both sides', async () => {
    const queue = new BoundedQueue<number>(2);
    let pushed = 0;
    const produce = (async () => {
      for (let i = 0; i < 10; i += 1) {
        await queue.push(i);
        pushed = i + 1;
      }
      queue.end();
    })();
    await new Promise(setImmediate);
    assert.equal(pushed, 2);
    const seen: number[] = [];
    for (let item = await queue.pull(); item !== null; item = await queue.pull()) seen.push(item);
    await produce;
    assert.deepEqual(seen, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

    const failing = new BoundedQueue<number>(1);
    await failing.push(1);
    const blocked = failing.push(2);
    const reason = new Error('stage failed');
    failing.fail(reason);
    await assert.rejects(blocked, reason);
    await assert.rejects(failing.pull(), reason);
    assert.deepEqual(failing.drain(), [1]);
  });
});

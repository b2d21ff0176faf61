import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptImage, type LoadedImage } from './kept-image.ts';

function picture(): LoadedImage {
  return {
    image: { rgb: { data: new Uint8Array(3), width: 1, height: 1 }, alpha: null, format: 'png' },
    faces: [],
  };
}

test('an image is loaded once while the same one is asked for', async () => {
  const kept = new KeptImage();
  let loads = 0;
  const load = async (): Promise<LoadedImage> => {
    loads += 1;
    return picture();
  };
  const first = await kept.get('a', load);
  assert.equal(await kept.get('a', load), first);
  assert.equal(loads, 1);
  assert.notEqual(await kept.get('b', load), first);
  await kept.get('a', load);
  assert.equal(loads, 3, 'only one is kept');
});

test('what was forgotten is loaded anew, and a failed load is no image', async () => {
  const kept = new KeptImage();
  const first = await kept.get('a', async () => picture());
  kept.forget();
  await assert.rejects(
    kept.get('a', () => Promise.reject(new Error('damaged'))),
    /damaged/,
  );
  assert.notEqual(await kept.get('a', async () => picture()), first);
});

test('a kept image goes by itself when no item asks for it any more', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const kept = new KeptImage();
  const first = await kept.get('a', async () => picture());
  context.mock.timers.tick(4999);
  assert.equal(await kept.get('a', async () => picture()), first);
  context.mock.timers.tick(5001);
  assert.notEqual(await kept.get('a', async () => picture()), first);
});

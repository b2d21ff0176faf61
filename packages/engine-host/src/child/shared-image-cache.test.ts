import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedImageCache, type LoadedImage } from './shared-image-cache.ts';

function picture(): LoadedImage {
  return {
    image: { rgb: { data: new Uint8Array(3), width: 1, height: 1 }, alpha: null, format: 'png' },
    faces: [],
  };
}

test('an image is loaded once while the same one is asked for', async () => {
  const cache = new SharedImageCache();
  let loads = 0;
  const load = async (): Promise<LoadedImage> => {
    loads += 1;
    return picture();
  };
  const first = await cache.get('a', load);
  assert.equal(await cache.get('a', load), first);
  assert.equal(loads, 1);
  assert.notEqual(await cache.get('b', load), first);
  await cache.get('a', load);
  assert.equal(loads, 3, 'only one is kept');
});

test('what was forgotten is loaded again, and a failed load is no image', async () => {
  const cache = new SharedImageCache();
  const first = await cache.get('a', async () => picture());
  cache.forget();
  await assert.rejects(
    cache.get('a', () => Promise.reject(new Error('damaged'))),
    /damaged/,
  );
  assert.notEqual(await cache.get('a', async () => picture()), first);
});

test('an image goes by itself when no item asks for it any more', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const cache = new SharedImageCache();
  const first = await cache.get('a', async () => picture());
  context.mock.timers.tick(4999);
  assert.equal(await cache.get('a', async () => picture()), first);
  context.mock.timers.tick(5001);
  assert.notEqual(await cache.get('a', async () => picture()), first);
});

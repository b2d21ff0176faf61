import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRgb } from '../../../../scripts/read-rgb.ts';
import { loadCanonicalFace } from '../face/geometry/canonical-face.ts';
import { emptyFront } from '../mesh/front/front.ts';
import type { Network } from '../models/open-size-model.ts';
import { createMeshSwapper, type MeshSwapper } from '../mesh/swapper.ts';
import { readSampleFaces } from '../samples/sample-faces.ts';
import { keepSources, lendSources } from './prepare-sources.ts';
import { engine } from './testing/test-engine.ts';

const face = await readRgb((await readSampleFaces()).face);
const [found] = await engine.detect(face);
const photos = [{ image: face, face: found!, front: emptyFront(), trust: 1 }];

/** No photo is looked at here. */
const notAsked = (): Promise<never> => Promise.reject(new Error('asked'));
const noNetwork: Network = { run: notAsked };

/** A swapper that notes the sides for which it makes a source ready. */
async function notingSwapper(sides: number[]): Promise<MeshSwapper> {
  const real = createMeshSwapper(await loadCanonicalFace(), noNetwork, notAsked);
  return {
    ...real,
    prepareSource(pyramid, at, front, side, lasting) {
      sides.push(side);
      return real.prepareSource(pyramid, at, front, side, lasting);
    },
  };
}

test('a source is made ready once for each side that the targets of a batch want', async () => {
  const sides: number[] = [];
  const swapper = await notingSwapper(sides);
  for (const side of [512, 256, 512, 128, 256]) lendSources(swapper, photos, side, 1);
  assert.deepEqual(sides, [512, 256, 128]);
  lendSources(swapper, photos, 512, 0);
  assert.deepEqual(sides, [512, 256, 128, 512], 'sharpened otherwise it is another one');
});

test('the segments of a film share a source while they want it the same', async () => {
  const sides: number[] = [];
  const swapper = await notingSwapper(sides);
  const first = keepSources(swapper, photos, 256, 1);
  assert.equal(keepSources(swapper, photos, 256, 1), first);
  assert.notEqual(keepSources(swapper, photos, 256, 0), first);
  keepSources(swapper, photos, 128, 0);
  keepSources(swapper, [...photos], 128, 0);
  assert.deepEqual(sides, [256, 256, 128, 128], 'other photos are another source');
});

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { applyAffine } from '@guise/kernels/affine.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import type { Evidence } from '../mesh/front/evidence.ts';
import { NetworkMasker } from './network-masker.ts';
import type { NamesOf } from './protocols.ts';
import { paintedFace } from './testing/painted-face.ts';
import { testNetwork } from './testing/test-networks.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'guise-maskers-'));
after(() => rm(folder, { recursive: true }));

const SIDE = 600;
/** A face in a picture whose left half is pure red and whose right half is pure blue. */
const { image, landmarks } = paintedFace(SIDE);
for (let i = 0; i < SIDE * SIDE; i++) {
  const isLeft = i % SIDE < SIDE / 2;
  image.data.set(isLeft ? [255, 0, 0] : [0, 0, 255], 3 * i);
}

async function look(protocol: NamesOf<'masker'>): Promise<Evidence> {
  const file = path.join(folder, `${protocol}.onnx`);
  await writeFile(file, testNetwork(protocol));
  const masker = await NetworkMasker.open({ id: protocol, sha256: '', protocol, file });
  try {
    return await masker.look(pyramidOf(image), landmarks);
  } finally {
    await masker.close();
  }
}

for (const [protocol, side] of [
  ['xseg', 256],
  ['bisenet', 512],
] as const)
  test(`${protocol} hides what its network says, in its order of colours, where it lies`, async () => {
    const { toImage, covered, ...map } = await look(protocol);
    assert.equal(map.side, side);
    assert.equal(covered.length, side * side);
    let [left, right] = [0, 0];
    for (let i = 0; i < covered.length; i++) {
      const [x, y] = applyAffine(toImage, (i % side) + 0.5, Math.floor(i / side) + 0.5);
      // Beyond the border, and at the edge of the colours, pixels are mixed.
      if (x < 0 || x >= SIDE || y < 0 || y >= SIDE || Math.abs(x - SIDE / 2) < 4) continue;
      const isLeft = x < SIDE / 2;
      // XSeg of this test shows blue; the parser of this test takes red for background.
      assert.equal(covered[i], isLeft ? 1 : 0, `${x} ${y}`);
      if (isLeft) left += 1;
      else right += 1;
    }
    assert.ok(left > 1000 && right > 1000);
  });

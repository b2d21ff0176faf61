import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import sharp from 'sharp';
import { TEST_MODELS } from '../models/testing/test-models.ts';
import type { SwapNetworks } from '../networks/open-networks.ts';
import type { ProtocolName } from '../networks/protocols.ts';
import { testNetwork } from '../networks/testing/test-networks.ts';
import { readSampleFaces } from '../samples/sample-faces.ts';
import { createEngine } from './engine.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'guise-masker-'));
const engine = await createEngine({ modelCacheDir: TEST_MODELS });
after(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

async function fileOf<Name extends ProtocolName>(protocol: Name, effect?: 'tint') {
  const file = path.join(folder, `${protocol}.onnx`);
  await writeFile(file, testNetwork(protocol, effect));
  return { id: protocol, sha256: protocol, protocol, file };
}

async function decoded(bytes: Uint8Array): Promise<RgbImage> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const { face, body } = await readSampleFaces();
const source = await decoded(body);
/**
 * A face of which the test's XSeg shows nothing in the left half, because nothing is blue there.
 */
const target = await decoded(face);
for (let i = 0; i < target.data.length / 3; i++)
  target.data[3 * i + 2] = i % target.width < target.width / 2 ? 20 : 255;

/** Swaps, and returns the mean change of the left and the right half's luma, levels. */
async function changes(networks?: SwapNetworks): Promise<[number, number]> {
  const restore = { faceRestoreVisibility: 1, restoreVisibility: 0 };
  const { image } = await engine.swapImage({ source, target, restore }, networks);
  const sums: [number, number] = [0, 0];
  for (let i = 0; i < target.data.length / 3; i++)
    sums[i % target.width < target.width / 2 ? 0 : 1] += Math.abs(
      image.data[3 * i + 1]! - target.data[3 * i + 1]!,
    );
  const count = target.data.length / 6;
  return [sums[0] / count, sums[1] / count];
}

test('what a masker hides stays as it is, whether the mesh or a network draws', async () => {
  const maskers = [await fileOf('xseg')];
  const [left, right] = await changes();
  assert.ok(left > 1 && right > 1, `${left} ${right}`);
  const [hidden, shown] = await changes({ maskers });
  assert.ok(hidden < left / 10, `${hidden} of ${left}`);
  assert.ok(shown > right / 2, `${shown} of ${right}`);
  const recogniser = (await fileOf('arcface')).file;
  const swapper = { ...(await fileOf('hyperswap', 'tint')), recogniser, boost: 1 };
  const [tintedLeft, tintedRight] = await changes({ swapper });
  const [keptLeft, keptRight] = await changes({ swapper, maskers });
  assert.ok(tintedLeft > 1 && keptLeft < tintedLeft / 10, `${keptLeft} of ${tintedLeft}`);
  assert.ok(keptRight > tintedRight / 2, `${keptRight} of ${tintedRight}`);
});

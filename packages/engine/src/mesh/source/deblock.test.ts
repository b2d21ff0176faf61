import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import sharp from 'sharp';
import { readRgb, toSharp } from '../../../../../scripts/read-rgb.ts';
import { readSampleFaces } from '../../samples/sample-faces.ts';
import { findBlocks, smoothBlocks } from './deblock.ts';

const { face: bytes } = await readSampleFaces();
const face = await readRgb(bytes);
const blocky = await readRgb(await toSharp(face).jpeg({ quality: 8 }).toBuffer());
// The sample is itself a JPEG; resized, it has no grid of eight.
const clean = await readRgb(await toSharp(face).resize(300).png().toBuffer());

/** Returns the very same picture if it shows no blocks. */
function deblocked(image: RgbImage, strength: number): RgbImage {
  const blocks = findBlocks(image);
  return blocks === null ? image : smoothBlocks(image, blocks, strength);
}

/** Mean absolute difference. */
function apart(a: RgbImage, b: RgbImage): number {
  return a.data.reduce((sum, value, i) => sum + Math.abs(value - b.data[i]!), 0) / a.data.length;
}

test('a picture without blocks is left alone, and every picture at strength 0', () => {
  assert.equal(findBlocks(clean), null);
  assert.ok(Buffer.from(deblocked(blocky, 0).data).equals(Buffer.from(blocky.data)));
});

test('blocks go, and the picture comes nearer to what it was before', () => {
  const repaired = deblocked(blocky, 1);
  assert.ok(
    apart(repaired, face) < apart(blocky, face) - 0.2,
    `${apart(repaired, face)} of ${apart(blocky, face)}`,
  );
});

test('the more strength, the more is changed', () => {
  const changes = [0.25, 0.5, 0.75, 1].map((strength) => apart(deblocked(blocky, strength), blocky));
  for (let k = 1; k < changes.length; k++) assert.ok(changes[k]! > changes[k - 1]!, changes.join(' '));
  // The change grows smoothly: no quarter causes more than half of it.
  assert.ok(changes[0]! < 0.5 * changes[3]!, changes.join(' '));
});

test('blocks are found wherever the picture was cut', async () => {
  const { width, height } = blocky;
  const cut = await readRgb(
    await toSharp(blocky)
      .extract({ left: 3, top: 5, width: width - 11, height: height - 9 })
      .png()
      .toBuffer(),
  );
  const { columns, rows } = findBlocks(cut)!;
  assert.deepEqual([columns.phase, rows.phase], [5, 3]);
});

test('the edges of the picture itself stay', async () => {
  // Columns of two greys, aligned with the blocks' grid.
  const data = new Uint8Array(128 * 128 * 3);
  for (let i = 0; i < data.length; i++) data[i] = (Math.floor(i / 3) % 128) % 16 < 8 ? 60 : 180;
  const stripes = await readRgb(
    await sharp(data, { raw: { width: 128, height: 128, channels: 3 } })
      .png()
      .toBuffer(),
  );
  assert.ok(apart(deblocked(stripes, 1), stripes) < 0.5);
});

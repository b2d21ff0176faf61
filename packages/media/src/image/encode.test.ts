import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { readProvenance } from '../provenance/read-provenance.ts';
import { SWAP_PROVENANCE } from '../xmp/xmp.ts';
import type { ImageWithAlpha } from './alpha.ts';
import { decodeImage } from './decode.ts';
import { encodeImage } from './encode.ts';
import { probeImage } from './probe.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'guise-encode-'));
after(() => rmSync(folder, { recursive: true }));

const LIMITS = { maxPixels: 100_000_000 };
const FORMATS = ['png', 'jpeg', 'webp'] as const;

/** Makes smooth waves of colour with some noise, so that each PNG prediction occurs. */
function picture(width: number, height: number, withAlpha: boolean): ImageWithAlpha {
  const data = new Uint8Array(width * height * 3);
  for (let index = 0; index < data.length; index++) {
    const x = Math.floor(index / 3) % width;
    const y = Math.floor(index / 3 / width);
    data[index] = 124 + 110 * Math.sin(x / 40 + y / 25 + (index % 3) * 2) + ((index * 7919) % 13);
  }
  const alpha = withAlpha
    ? Uint8Array.from({ length: width * height }, (_, index) => (index * 31) % 256)
    : null;
  return { rgb: { data, width, height }, alpha };
}

test('PNG is bit-identical over decode, encode and decode, with and without alpha, also in many strips', async () => {
  for (const withAlpha of [false, true]) {
    for (const [width, height] of [
      [1, 1],
      [1, 9],
      [9, 1],
      [37, 23],
      [900, 700],
    ] as const) {
      const image = picture(width, height, withAlpha && width > 1);
      const first = path.join(folder, 'first.png');
      const second = path.join(folder, 'second.png');
      await encodeImage(image, 'png', first);
      const once = await decodeImage(first, LIMITS);
      await encodeImage(once, 'png', second);
      const twice = await decodeImage(second, LIMITS);
      assert.ok(Buffer.from(once.rgb.data).equals(image.rgb.data), `${width}x${height}`);
      assert.deepEqual(once.alpha, image.alpha);
      assert.deepEqual(twice, once);
    }
  }
});

test('the answer states the file as it is on disk', async () => {
  for (const format of FORMATS) {
    const file = path.join(folder, `facts.${format}`);
    const encoded = await encodeImage(picture(60, 40, false), format, file);
    const bytes = readFileSync(file);
    assert.deepEqual(encoded, {
      contentType: `image/${format}`,
      width: 60,
      height: 40,
      sizeBytes: statSync(file).size,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const expected = { format, contentType: `image/${format}`, width: 60, height: 40 };
    assert.deepEqual(await probeImage(file, LIMITS), expected);
  }
});

test('JPEG and WebP stay close to the pixels that went in', async () => {
  const image = picture(200, 150, false);
  for (const format of ['jpeg', 'webp'] as const) {
    const file = path.join(folder, `close.${format}`);
    await encodeImage(image, format, file);
    const { rgb } = await decodeImage(file, LIMITS);
    const squares = rgb.data.reduce((sum, value, index) => sum + (value - image.rgb.data[index]!) ** 2, 0);
    const decibels = 10 * Math.log10(255 ** 2 / (squares / rgb.data.length));
    assert.ok(decibels > 36, `${format} ${decibels.toFixed(1)} dB`);
  }
});

test('WebP keeps alpha and the colours under it; JPEG shows white through', async () => {
  const data = Uint8Array.from({ length: 32 * 32 * 3 }, (_, index) => [20, 160, 40][index % 3]!);
  const alpha = new Uint8Array(32 * 32).fill(255, 0, 512);
  const image = { rgb: { data, width: 32, height: 32 }, alpha };
  const webp = path.join(folder, 'alpha.webp');
  await encodeImage(image, 'webp', webp);
  const decoded = await decodeImage(webp, LIMITS);
  assert.deepEqual(decoded.alpha, alpha);
  const last = [...decoded.rgb.data.subarray(-3)];
  assert.ok(Math.abs(last[1]! - 160) < 8, `under transparency: ${last.join()}`);
  const jpeg = path.join(folder, 'alpha.jpg');
  await encodeImage(image, 'jpeg', jpeg);
  const flat = await decodeImage(jpeg, LIMITS);
  assert.equal(flat.alpha, null);
  assert.ok(Math.min(...flat.rgb.data.subarray(-3)) > 250);
  assert.ok(flat.rgb.data[1]! < 170);
});

test('every output is marked as a composite with trained algorithmic media, and is tagged sRGB', async () => {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } });
  const srgb = await sharp(await pixel.withIccProfile('srgb').jpeg().toBuffer()).metadata();
  for (const format of FORMATS) {
    const file = path.join(folder, `marked.${format}`);
    await encodeImage(picture(60, 40, true), format, file);
    assert.deepEqual(await readProvenance(file), SWAP_PROVENANCE, format);
    // libvips finds the packet too, where readers of metadata look.
    const metadata = await sharp(file).metadata();
    assert.match(metadata.xmpAsString ?? '', /compositeWithTrainedAlgorithmicMedia/, format);
    assert.equal(metadata.space, 'srgb');
    if (format !== 'png') assert.ok(metadata.icc!.equals(srgb.icc!), format);
    assert.equal(metadata.exif, undefined);
  }
  const png = readFileSync(path.join(folder, 'marked.png'));
  assert.ok(png.includes('sRGB', 0, 'latin1') && png.includes('iTXtXML:com.adobe.xmp\0', 0, 'latin1'));
});

test('nothing of the camera passes from the input to the output', async () => {
  const input = path.join(folder, 'camera.jpg');
  const exif = {
    IFD0: { Make: 'SecretCamera' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
  };
  const { rgb } = picture(64, 64, false);
  const raw = { width: 64, height: 64, channels: 3 } as const;
  await sharp(rgb.data, { raw }).withExif(exif).jpeg().toFile(input);
  assert.ok(readFileSync(input).includes('SecretCamera'));
  for (const format of FORMATS) {
    const output = path.join(folder, `clean.${format}`);
    await encodeImage(await decodeImage(input, LIMITS), format, output);
    const bytes = readFileSync(output);
    assert.ok(!bytes.includes('SecretCamera') && !bytes.includes('Exif'), format);
  }
});

test('an input without the mark has no provenance', async () => {
  for (const format of FORMATS) {
    const file = path.join(folder, `plain.${format}`);
    await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .toFormat(format)
      .toFile(file);
    assert.equal(await readProvenance(file), null);
  }
});

test('a failed write leaves neither a file nor a part of one', async () => {
  const place = mkdtempSync(path.join(folder, 'failed-'));
  const wrong = { rgb: { data: new Uint8Array(5), width: 100, height: 100 }, alpha: null };
  await assert.rejects(encodeImage(wrong, 'jpeg', path.join(place, 'out.jpg')));
  await assert.rejects(encodeImage(picture(20_000, 1, false), 'webp', path.join(place, 'out.webp')));
  assert.deepEqual(readdirSync(place), []);
});

test('an output replaces the file that was there', async () => {
  const file = path.join(folder, 'again.png');
  writeFileSync(file, 'older');
  await encodeImage(picture(5, 5, false), 'png', file);
  assert.equal((await probeImage(file, LIMITS)).width, 5);
});

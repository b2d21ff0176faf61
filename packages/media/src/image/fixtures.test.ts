/** Real files: the same portrait in many formats, and files made to break decoders. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { fixture, skipWithoutFixtures as skip } from '../../../../scripts/fixtures.ts';
import { MediaError } from '../media-error.ts';
import { decodeImage } from './decode.ts';
import { probeImage } from './probe.ts';

const LIMITS = { maxPixels: 100_000_000 };
const NOT_ACCEPTED = /\.(tif|ico|ppm|svg)$/;

/** Mean absolute difference of two pictures of one size, 0 to 255. */
function difference(one: RgbImage, other: RgbImage): number {
  assert.deepEqual([one.width, one.height], [other.width, other.height]);
  let sum = 0;
  for (let index = 0; index < one.data.length; index++)
    sum += Math.abs(one.data[index]! - other.data[index]!);
  return sum / one.data.length;
}

const decode = async (name: string) => (await decodeImage(fixture(name), LIMITS)).rgb;

test('the probe and the decoder agree on the upright size of every picture', { skip }, async () => {
  for (const folder of ['odd', 'portraits', 'groups', 'noface', 'gif']) {
    for (const name of readdirSync(fixture(folder))) {
      const file = fixture(`${folder}/${name}`);
      if (NOT_ACCEPTED.test(name)) {
        await assert.rejects(probeImage(file, LIMITS), (error: MediaError) => error.code === 'UNSUPPORTED');
        continue;
      }
      const { format, width, height } = await probeImage(file, LIMITS);
      const decoded = await decodeImage(file, LIMITS);
      assert.deepEqual(
        [decoded.rgb.width, decoded.rgb.height, decoded.format],
        [width, height, format],
        name,
      );
      assert.equal(decoded.rgb.data.length, width * height * 3);
    }
  }
});

test('one portrait looks the same in every format', { skip }, async () => {
  const reference = await decode('odd/o20_hopper.bmp');
  const limits = { avif: 5, gif: 6, heif: 5, webp: 5 };
  for (const [extension, limit] of Object.entries(limits)) {
    const mean = difference(await decode(`odd/o20_hopper.${extension}`), reference);
    assert.ok(mean < limit, `${extension} differs by ${mean.toFixed(2)}`);
  }
  const turned = difference(await decode('odd/o20_hopper_orientation_6.jpg'), reference);
  assert.ok(turned < 5, `EXIF 6 differs by ${turned.toFixed(2)}`);
});

test(
  'HEIC, AVIF, WebP, P3, CMYK and turned copies look like the JPEG they were made from',
  { skip },
  async () => {
    const reference = await decode('portraits/p15a_torres_studio.jpg');
    const limits = {
      'torres.avif': 3,
      'torres.heic': 3,
      'torres.heif': 3,
      'torres.webp': 3,
      'torres_exif6.jpg': 3,
      'torres_p3.jpg': 3,
      'torres_cmyk.jpg': 16,
    };
    for (const [name, limit] of Object.entries(limits)) {
      const mean = difference(await decode(`odd/${name}`), reference);
      assert.ok(mean < limit, `${name} differs by ${mean.toFixed(2)}`);
    }
  },
);

test('16-bit and BMP copies of one picture are the same picture', { skip }, async () => {
  const reference = await decode('portraits/p01_collins_astronaut.png');
  assert.equal(difference(await decode('odd/d26_collins.bmp'), reference), 0);
  assert.ok(difference(await decode('odd/d02_collins_16bit.png'), reference) < 1);
  assert.ok(difference(await decode('odd/d10_collins_palette64.png'), reference) < 8);
});

const HOSTILE: Record<string, MediaError['code'] | 'decodes'> = {
  'x01_bomb_30000x30000.png': 'TOO_MANY_PIXELS',
  'x02_claims_65535x65535.png': 'TOO_MANY_PIXELS',
  // Its 50 MB of text are never inflated; the picture is whole.
  'x03_valid_face_plus_50MB_zTXt.png': 'decodes',
  'x04_face_sof_65500x65500.jpg': 'TOO_MANY_PIXELS',
  'x05_face_truncated_half.jpg': 'DAMAGED',
  'x06_face_truncated_2KB.jpg': 'UNREADABLE',
  'x07_face_bitflips.jpg': 'DAMAGED',
  'x08_empty.jpg': 'UNREADABLE',
  'x09_text_named.jpg': 'UNSUPPORTED',
  'x10_html_named.jpg': 'UNSUPPORTED',
  'x11_face_with_html_after_eoi.jpg': 'decodes',
  'x12_svg_external_ref.svg': 'UNSUPPORTED',
  'x13_svg_named.png': 'UNSUPPORTED',
  'x14_gif_canvas_65535.gif': 'TOO_MANY_PIXELS',
  // Only the first of its 50,000 frames is decoded.
  'x15_gif_50000_frames.gif': 'decodes',
  'x16_svg_100000px.svg': 'UNSUPPORTED',
  'x17_svg_external_image.svg': 'UNSUPPORTED',
};

for (const [name, outcome] of Object.entries(HOSTILE)) {
  test(`${name}: ${outcome}, within 300 MB`, { skip }, async () => {
    const before = process.memoryUsage.rss();
    const actual = await decodeImage(fixture(`hostile/${name}`), LIMITS).then(
      () => 'decodes',
      (error: unknown) => (error instanceof MediaError ? error.code : String(error)),
    );
    assert.equal(actual, outcome);
    const grownMegabytes = (process.memoryUsage.rss() - before) / 1e6;
    assert.ok(grownMegabytes < 300, `grew by ${grownMegabytes.toFixed(0)} MB`);
  });
}

test('a damaged HEIC is DAMAGED, and one that takes too long TIMEOUT', { skip }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'guise-heic-'));
  try {
    const bytes = readFileSync(fixture('odd/torres.heic'));
    const cut = path.join(folder, 'cut.heic');
    writeFileSync(cut, bytes.subarray(0, bytes.length / 2));
    await assert.rejects(decodeImage(cut, LIMITS), (error: MediaError) => error.code === 'DAMAGED');
  } finally {
    rmSync(folder, { recursive: true });
  }
  const hurried = decodeImage(fixture('odd/torres.heic'), { ...LIMITS, timeoutMs: 1 });
  await assert.rejects(hurried, (error: MediaError) => error.code === 'TIMEOUT');
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { MediaError, type MediaErrorCode } from '../media-error.ts';
import { probeImage } from './probe.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'guise-probe-'));
after(() => rmSync(folder, { recursive: true }));

const LIMITS = { maxPixels: 100_000_000 };

function probeBytes(bytes: Uint8Array, limits = LIMITS) {
  const file = path.join(folder, 'image');
  writeFileSync(file, bytes);
  return probeImage(file, limits);
}

const fails = (code: MediaErrorCode) => (error: unknown) =>
  error instanceof MediaError && error.code === code;

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3070b0' } });

const box = (type: string, ...bodies: Uint8Array[]) => {
  const body = Buffer.concat(bodies);
  const head = Buffer.alloc(8, 0);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const u32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([24, 16, 8, 0].map((s) => (value >>> s) & 255))));
const sizeProperty = (width: number, height: number) => box('ispe', u32(0, width, height));

/** Makes a HEIF whose item 2 is the primary one, with these properties in this order. */
function heif(properties: Uint8Array[], brand = 'heic'): Buffer {
  const container = box('ipco', sizeProperty(64, 64), ...properties);
  const own = properties.map((_, index) => 0x80 | (index + 2));
  const associations = Buffer.from([0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 1, 0, 2, own.length, ...own]);
  const entry = box('infe', Buffer.from([2, 0, 0, 0, 0, 2, 0, 0]), Buffer.from('hvc1\0'));
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1`, 'latin1')),
    box('mdat', Buffer.alloc(100_000)),
    box(
      'meta',
      u32(0),
      box('pitm', u32(0), Buffer.from([0, 2])),
      box('iinf', u32(0), Buffer.from([0, 1]), entry),
      box('iprp', container, box('ipma', associations)),
    ),
  ]);
}

test('every format written by a real encoder has its own size and type', async () => {
  const image = blank(301, 203);
  const files = {
    jpeg: await image.clone().jpeg().toBuffer(),
    png: await image.clone().png().toBuffer(),
    webp: await image.clone().webp().toBuffer(),
    gif: await image.clone().gif().toBuffer(),
    avif: await image.clone().avif({ effort: 0 }).toBuffer(),
  };
  for (const [format, bytes] of Object.entries(files)) {
    const expected = { format, contentType: `image/${format}`, width: 301, height: 203 };
    assert.deepEqual(await probeBytes(bytes), expected);
  }
  const lossless = await image.clone().webp({ lossless: true }).toBuffer();
  assert.deepEqual(await probeBytes(lossless), {
    format: 'webp',
    contentType: 'image/webp',
    width: 301,
    height: 203,
  });
});

test('EXIF orientation turns the size of JPEG, PNG and WebP', async () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const bytes = await blank(30, 20).withMetadata({ orientation }).toFormat(format).toBuffer();
      const { width, height } = await probeBytes(bytes);
      assert.deepEqual([width, height], orientation >= 5 ? [20, 30] : [30, 20], `${format} ${orientation}`);
    }
  }
});

test('a JPEG frame header behind megabytes of other segments is found', async () => {
  const jpeg = await blank(33, 44).jpeg().toBuffer();
  const segment = Buffer.alloc(2 + 65_535);
  segment.writeUInt16BE(0xffe5, 0);
  segment.writeUInt16BE(65_535, 2);
  const bytes = Buffer.concat([jpeg.subarray(0, 2), ...Array<Buffer>(50).fill(segment), jpeg.subarray(2)]);
  const { width, height } = await probeBytes(bytes);
  assert.deepEqual([width, height], [33, 44]);
});

test('HEIF: the primary item counts, cropped and turned by its properties', async () => {
  const turn = box('irot', Buffer.of(1));
  const half = box('irot', Buffer.of(2));
  const crop = box('clap', u32(3000, 1, 2000, 1, 0, 1, 0, 1));
  const cases: [Uint8Array[], number, number][] = [
    [[sizeProperty(4032, 3024)], 4032, 3024],
    [[sizeProperty(4032, 3024), turn], 3024, 4032],
    [[sizeProperty(4032, 3024), half], 4032, 3024],
    [[sizeProperty(4032, 3024), crop, turn], 2000, 3000],
  ];
  for (const [properties, width, height] of cases) {
    const expected = { format: 'heif', contentType: 'image/heif', width, height };
    assert.deepEqual(await probeBytes(heif(properties)), expected);
  }
});

test('a GIF frame beyond the logical screen makes the canvas larger', async () => {
  const gif = Buffer.from('GIF89a\x05\0\x04\0\0\0\0\x21\xfe\x02hi\0\x2c\x03\0\x02\0\x08\0\x07\0\0', 'latin1');
  const { width, height } = await probeBytes(gif);
  assert.deepEqual([width, height], [11, 9]);
});

test('more pixels than allowed are refused with the limit, before anything is decoded', async () => {
  const png = await blank(100, 50).png().toBuffer();
  assert.equal((await probeBytes(png, { maxPixels: 5000 })).width, 100);
  await assert.rejects(probeBytes(png, { maxPixels: 4999 }), (error: MediaError) => {
    assert.equal(error.code, 'TOO_MANY_PIXELS');
    assert.equal(error.limit, 4999);
    return true;
  });
  png.writeUInt32BE(65_535, 16);
  png.writeUInt32BE(65_535, 20);
  await assert.rejects(probeBytes(png), fails('TOO_MANY_PIXELS'));
});

test('what is not an image is UNSUPPORTED, an empty file or a cut header UNREADABLE', async () => {
  await assert.rejects(probeBytes(Buffer.from('<svg width="10" height="10"/>')), fails('UNSUPPORTED'));
  await assert.rejects(probeBytes(Buffer.alloc(0)), fails('UNREADABLE'));
  const jpeg = await blank(30, 20).jpeg().toBuffer();
  await assert.rejects(probeBytes(jpeg.subarray(0, 40)), fails('UNREADABLE'));
  await assert.rejects(probeBytes(Buffer.from('RIFF\x10\0\0\0WEBP', 'latin1')), fails('UNREADABLE'));
  await assert.rejects(probeBytes(heif([])), fails('UNREADABLE'));
});

test('a missing file is the file system error, not a bad image', async () => {
  await assert.rejects(probeImage(path.join(folder, 'absent'), LIMITS), { code: 'ENOENT' });
});

test('an endless chain of empty parts is given up on', async () => {
  const start = Buffer.from(
    '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\0\0\0\0',
    'latin1',
  );
  const empty = Buffer.from('\0\0\0\0teXt\0\0\0\0', 'latin1');
  await assert.rejects(
    probeBytes(Buffer.concat([start, Buffer.alloc(3_600_000, empty)])),
    fails('UNREADABLE'),
  );
  const restarts = Buffer.alloc(3_000_000, Buffer.of(0xff, 0xd0));
  await assert.rejects(probeBytes(Buffer.concat([Buffer.of(0xff, 0xd8), restarts])), fails('UNREADABLE'));
  const boxes = Buffer.alloc(3_000_000, box('free'));
  await assert.rejects(probeBytes(Buffer.concat([heif([]).subarray(0, 20), boxes])), fails('UNREADABLE'));
});

/** Makes a Mulberry32 generator, so that every run damages files in the same way. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test('damaged headers give an answer or a MediaError, never another error', async () => {
  const image = blank(40, 30);
  const exif = image.clone().withMetadata({ orientation: 6 });
  const bmp = Buffer.concat([
    Buffer.from('BM', 'latin1'),
    Buffer.alloc(8),
    u32(0x36000000, 0x28000000, 0x28000000, 0x1e000000, 0x01001800),
    Buffer.alloc(24 + 3600),
  ]);
  const seeds = [
    await exif.clone().jpeg().toBuffer(),
    await exif.clone().png().toBuffer(),
    await exif.clone().webp().toBuffer(),
    await image.clone().gif().toBuffer(),
    await image.clone().avif({ effort: 0 }).toBuffer(),
    heif([sizeProperty(40, 30), box('irot', Buffer.of(1))]),
    bmp,
  ];
  for (const [index, seed] of seeds.entries()) {
    assert.equal((await probeBytes(seed)).width > 0, true);
    const next = random(index + 1);
    for (let round = 0; round < 150; round++) {
      const bytes = Buffer.from(
        seed.subarray(0, round % 3 === 0 ? Math.floor(next() * seed.length) : seed.length),
      );
      const reach = Math.min(bytes.length, 400);
      for (let flips = 1 + Math.floor(next() * 6); flips > 0; flips--) {
        // In a file that was cut to nothing, this writes nowhere.
        bytes[Math.floor(next() * reach)] = Math.floor(next() * 256);
      }
      await probeBytes(bytes).then(
        (probe) => assert.equal(probe.width * probe.height <= LIMITS.maxPixels && probe.width > 0, true),
        (error: unknown) => assert.ok(error instanceof MediaError, `${index}/${round}: ${String(error)}`),
      );
    }
  }
});

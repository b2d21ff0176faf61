import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { MediaError, type MediaErrorCode } from '../media-error.ts';
import { decodeImage } from './decode.ts';
import { probeImage } from './probe.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'guise-decode-'));
after(() => rmSync(folder, { recursive: true }));

const LIMITS = { maxPixels: 100_000_000 };

function store(bytes: Uint8Array): string {
  const file = path.join(folder, 'image');
  writeFileSync(file, bytes);
  return file;
}

const decode = (bytes: Uint8Array) => decodeImage(store(bytes), LIMITS);
const fails = (code: MediaErrorCode) => (error: unknown) =>
  error instanceof MediaError && error.code === code;

/** Makes a picture with red, green, blue and white quarters, which shows every turn and mirror. */
function quarters(width: number, height: number): Sharp {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const right = x >= width / 2;
      const low = y >= height / 2;
      data.set([right === low ? 255 : 0, right ? 255 : 0, low ? 255 : 0], at);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

function pixelAt({ data, width }: { data: Uint8Array; width: number }, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
}

function assertClose(
  actual: readonly number[],
  expected: readonly number[],
  tolerance: number,
  message?: string,
) {
  const worst = Math.max(...actual.map((value, index) => Math.abs(value - expected[index]!)));
  assert.ok(worst <= tolerance, `${message ?? ''} ${actual.join()} is not ${expected.join()}`);
}

test('every EXIF orientation of JPEG, PNG and WebP comes out upright, in the size that the probe says', async () => {
  const turned = {
    1: 'none',
    2: 'flop',
    3: '180',
    4: 'flip',
    5: 'transpose',
    6: '270',
    7: 'transverse',
    8: '90',
  };
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    for (const [value, name] of Object.entries(turned)) {
      const orientation = Number(value);
      // Stored such that applying the orientation gives the upright picture back.
      const upright = quarters(48, 32);
      let stored = sharp(await upright.png().toBuffer());
      if (name === 'flop') stored = stored.flop();
      else if (name === 'flip') stored = stored.flip();
      else if (name === 'transpose') stored = stored.rotate(270).flop();
      else if (name === 'transverse') stored = stored.rotate(90).flop();
      else if (name !== 'none') stored = stored.rotate(Number(name));
      const flat = await stored.png().toBuffer();
      const file = store(
        await sharp(flat).withMetadata({ orientation }).toFormat(format, { quality: 100 }).toBuffer(),
      );
      const { rgb } = await decodeImage(file, LIMITS);
      const probe = await probeImage(file, LIMITS);
      const label = `${format} ${orientation} (${name})`;
      assert.deepEqual([rgb.width, rgb.height], [48, 32], label);
      assert.deepEqual([probe.width, probe.height], [48, 32], label);
      assertClose(pixelAt(rgb, 4, 4), [255, 0, 0], 12, label);
      assertClose(pixelAt(rgb, 44, 4), [0, 255, 0], 12, label);
      assertClose(pixelAt(rgb, 4, 28), [0, 0, 255], 12, label);
      assertClose(pixelAt(rgb, 44, 28), [255, 255, 255], 12, label);
    }
  }
});

test('of two EXIF blocks in a JPEG the first counts, for the probe and the decoder', async () => {
  const plain = await quarters(48, 32).jpeg().toBuffer();
  const blocks = [];
  for (const orientation of [6, 1]) {
    const jpeg = await quarters(48, 32).withMetadata({ orientation }).jpeg().toBuffer();
    const start = jpeg.indexOf('Exif', 0, 'latin1') - 4;
    blocks.push(jpeg.subarray(start, start + 2 + jpeg.readUInt16BE(start + 2)));
  }
  const file = store(Buffer.concat([plain.subarray(0, 2), ...blocks, plain.subarray(2)]));
  const { rgb } = await decodeImage(file, LIMITS);
  const probe = await probeImage(file, LIMITS);
  assert.deepEqual([rgb.width, rgb.height, probe.width, probe.height], [32, 48, 32, 48]);
});

test('grey, palette, 16-bit, interlaced and progressive pictures come out as 8-bit RGB', async () => {
  const image = quarters(40, 30);
  const files = {
    palette: await image.clone().png({ palette: true }).toBuffer(),
    interlaced: await image.clone().png({ progressive: true }).toBuffer(),
    sixteen: await image.clone().toColourspace('rgb16').png().toBuffer(),
    progressive: await image
      .clone()
      .jpeg({ progressive: true, quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer(),
    gif: await image.clone().gif().toBuffer(),
    avif: await image.clone().avif({ effort: 0, lossless: true }).toBuffer(),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const { rgb, alpha } = await decode(bytes);
    assert.equal(rgb.data.length, 40 * 30 * 3, name);
    assert.equal(alpha, null, name);
    assertClose(pixelAt(rgb, 2, 2), [255, 0, 0], 6, name);
    assertClose(pixelAt(rgb, 38, 2), [0, 255, 0], 6, name);
  }
  for (const format of ['png', 'jpeg'] as const) {
    const grey = await image.clone().greyscale().toColourspace('b-w').toFormat(format).toBuffer();
    const { rgb } = await decode(grey);
    assert.equal(rgb.data.length, 40 * 30 * 3);
    const [red, green, blue] = pixelAt(rgb, 2, 2);
    assert.ok(red === green && green === blue, `grey ${format}`);
  }
});

test('a colour profile is applied: Display P3 in 8 and 16 bits, and CMYK', async () => {
  const colour = { r: 200, g: 60, b: 40 };
  const image = sharp({ create: { width: 16, height: 16, channels: 3, background: colour } });
  const files = {
    jpegP3: await image.clone().withIccProfile('p3').jpeg({ quality: 100 }).toBuffer(),
    pngP3: await image.clone().withIccProfile('p3').png().toBuffer(),
    png16P3: await image.clone().toColourspace('rgb16').withIccProfile('p3').png().toBuffer(),
    webpP3: await image.clone().withIccProfile('p3').webp({ lossless: true }).toBuffer(),
    avifP3: await image.clone().withIccProfile('p3').avif({ lossless: true, effort: 0 }).toBuffer(),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const stored = pixelAt(
      { data: await sharp(bytes, { ignoreIcc: true }).raw().toBuffer(), width: 16 },
      5,
      5,
    );
    assert.ok(Math.abs(stored[0]! - 200) > 5, `${name} is stored in P3: ${stored.join()}`);
    assertClose(pixelAt((await decode(bytes)).rgb, 5, 5), [200, 60, 40], 3, name);
  }
  const cmyk = await image
    .clone()
    .toColourspace('cmyk')
    .withIccProfile('cmyk')
    .jpeg({ quality: 100 })
    .toBuffer();
  assert.equal((await sharp(cmyk).metadata()).space, 'cmyk');
  assertClose(pixelAt((await decode(cmyk)).rgb, 5, 5), [200, 60, 40], 12, 'cmyk');
});

test('AVIF that says Display P3 without a profile is converted too', async () => {
  const image = sharp({
    create: { width: 16, height: 16, channels: 3, background: { r: 200, g: 60, b: 40 } },
  });
  const bytes = await image.avif({ lossless: true, effort: 0 }).toBuffer();
  const at = bytes.indexOf('nclx', 0, 'latin1') + 4;
  bytes.writeUInt16BE(12, at);
  bytes.writeUInt16BE(13, at + 2);
  const [red, green, blue] = pixelAt((await decode(bytes)).rgb, 5, 5);
  assert.ok(red! > 208 && green! < 55 && blue! < 36, `${red},${green},${blue} is more saturated in sRGB`);
});

test('alpha is straight, kept apart, and null where nothing is transparent', async () => {
  const data = Buffer.from([10, 200, 30, 0, 40, 50, 60, 128, 70, 80, 90, 255]);
  const image = sharp(data, { raw: { width: 3, height: 1, channels: 4 } });
  for (const bytes of [
    await image.clone().png().toBuffer(),
    await image.clone().webp({ lossless: true, exact: true }).toBuffer(),
  ]) {
    const { rgb, alpha } = await decode(bytes);
    assert.deepEqual([...rgb.data], [10, 200, 30, 40, 50, 60, 70, 80, 90]);
    assert.deepEqual([...alpha!], [0, 128, 255]);
  }
  const opaque = await image.clone().removeAlpha().ensureAlpha().png().toBuffer();
  assert.equal((await decode(opaque)).alpha, null);
  const greyAlpha = sharp(Buffer.from([90, 0, 120, 255]), { raw: { width: 2, height: 1, channels: 2 } });
  const grey = await decode(await greyAlpha.toColourspace('b-w').png().toBuffer());
  assert.deepEqual([...grey.rgb.data], [90, 90, 90, 120, 120, 120]);
  assert.deepEqual([...grey.alpha!], [0, 255]);
});

test('the first frame of an animation is decoded', async () => {
  const frames = Buffer.concat([
    Buffer.alloc(8 * 8 * 3, Buffer.of(255, 0, 0)),
    Buffer.alloc(8 * 8 * 3, Buffer.of(0, 0, 255)),
  ]);
  const image = sharp(frames, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } });
  for (const bytes of [
    await image.clone().gif().toBuffer(),
    await image.clone().webp({ lossless: true }).toBuffer(),
  ]) {
    assert.equal((await sharp(bytes).metadata()).pages, 2);
    const { rgb } = await decode(bytes);
    assert.deepEqual([rgb.width, rgb.height], [8, 8]);
    assertClose(pixelAt(rgb, 3, 3), [255, 0, 0], 2);
  }
});

test('a GIF keeps its own canvas where libnsgif would shrink it to the frames', async () => {
  const gif = await quarters(16, 16).gif().toBuffer();
  // 640 x 480 is one of the screen sizes that libnsgif takes for a mistake.
  gif.writeUInt16LE(640, 6);
  gif.writeUInt16LE(480, 8);
  const { rgb, alpha } = await decode(gif);
  assert.deepEqual([rgb.width, rgb.height], [640, 480]);
  assertClose(pixelAt(rgb, 2, 2), [255, 0, 0], 6);
  assert.equal(alpha![0], 255);
  assert.equal(alpha!.at(-1), 0);
});

test('a picture that is cut is DAMAGED in every format', async () => {
  const noise = await sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .png()
    .toBuffer();
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const whole = await sharp(noise).toFormat(format, { effort: 1 }).toBuffer();
    await decode(whole);
    await assert.rejects(decode(whole.subarray(0, Math.floor(whole.length * 0.6))), fails('DAMAGED'), format);
  }
});

test('bytes after the end of a JPEG, and stray bytes before its end mark, do no harm', async () => {
  const jpeg = await quarters(40, 30).jpeg().toBuffer();
  const { rgb } = await decode(Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]));
  assert.deepEqual([rgb.width, rgb.height], [40, 30]);
  const stray = Buffer.concat([jpeg.subarray(0, -2), Buffer.from([1, 2, 3, 0xff, 0xd9])]);
  assert.equal((await decode(stray)).rgb.width, 40);
});

test('what the probe refuses is not decoded', async () => {
  await assert.rejects(
    decode(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
    fails('UNSUPPORTED'),
  );
  const png = await quarters(40, 30).png().toBuffer();
  await assert.rejects(decodeImage(store(png), { maxPixels: 1199 }), fails('TOO_MANY_PIXELS'));
});

/** Makes a GIF frame of one pixel at (left, left). */
function gifFrame(left: number): Buffer {
  const place = [left & 255, left >> 8, left & 255, left >> 8];
  return Buffer.from([0x2c, ...place, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
}

test('later frames far outside the canvas of a GIF do not make it larger', async () => {
  const screen = Buffer.from('GIF89a\x02\0\x02\0\x80\0\0\xff\0\0\0\0\xff', 'latin1');
  const { rgb } = await decode(Buffer.concat([screen, gifFrame(0), gifFrame(65_000), Buffer.of(0x3b)]));
  assert.deepEqual([rgb.width, rgb.height], [2, 2]);
});

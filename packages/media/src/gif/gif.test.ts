import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { MediaError } from '../media-error.ts';
import { probeVideo } from '../clip/probe.ts';
import { processVideo } from '../clip/process-video.ts';
import { DEFAULT_VIDEO_LIMITS } from '../video/video-types.ts';
import { GifWriter } from './gif-writer.ts';
import { lzwDecode, lzwEncode } from './lzw.ts';
import { PaletteSampler } from './palette.ts';
import { readGifFrames } from './read-gif.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-gif-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const WIDTH = 40;
const HEIGHT = 30;

/** Draws a disc that moves over a still background, or over a transparent one. */
function picture(index: number, transparent: boolean): Uint8Array {
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  for (let i = 0; i < WIDTH * HEIGHT; i += 1) {
    const x = i % WIDTH;
    const y = Math.floor(i / WIDTH);
    const inside = (x - 8 - index * 5) ** 2 + (y - 15) ** 2 < 49;
    const pixel = inside
      ? [220, 40 + index * 10, 30, 255]
      : transparent
        ? [0, 0, 0, 0]
        : [x * 4, y * 4, 90, 255];
    rgba.set(pixel, i * 4);
  }
  return rgba;
}

async function makeGif(
  name: string,
  options: { transparent?: boolean; loop?: number | null; delays?: number[] } = {},
) {
  const { transparent = false, loop = 0, delays = [5, 7, 100, 1, 0] } = options;
  const sampler = new PaletteSampler(WIDTH * HEIGHT * delays.length);
  const pictures = delays.map((_, index) => picture(index, transparent));
  for (const rgba of pictures) sampler.add(rgba);
  const filePath = path.join(folder, name);
  const palette = await sampler.palette();
  const settings = { width: WIDTH, height: HEIGHT, palette, transparency: transparent, loop, noisy: false };
  const writer = await GifWriter.create(filePath, settings);
  for (const [index, rgba] of pictures.entries()) await writer.add(rgba, delays[index]!);
  await writer.finish();
  await writer.close();
  return filePath;
}

async function read(filePath: string) {
  const pictures: { rgba: Uint8Array; delayCs: number; loop: number | null; damaged: boolean }[] = [];
  for await (const { rgba, delayCs, loop, damaged } of readGifFrames(filePath, DEFAULT_VIDEO_LIMITS)) {
    pictures.push({ rgba: rgba.slice(), delayCs, loop, damaged });
  }
  return pictures;
}

describe('lzw', () => {
  it('gives back what was encoded, noise, runs and single bytes', () => {
    let seed = 1;
    const noise = Uint8Array.from({ length: 100_000 }, () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 24;
    });
    for (const indexes of [noise, new Uint8Array(70_000), noise.map((v) => v >> 5), Uint8Array.of(7)]) {
      const out = new Uint8Array(indexes.length);
      assert.equal(lzwDecode(lzwEncode(indexes, 8), 8, out), indexes.length);
      assert.deepEqual(out, indexes);
    }
  });

  it('stops at damage without throwing', () => {
    const good = lzwEncode(
      new Uint8Array(5000).map((_, i) => (i * 7) & 255),
      8,
    );
    for (let at = 0; at < good.length; at += 11) {
      const bad = good.slice();
      bad[at]! ^= 0x5a;
      assert.ok(lzwDecode(bad, 8, new Uint8Array(5000)) <= 5000);
    }
    assert.equal(lzwDecode(good, 200, new Uint8Array(10)), 0);
  });
});

describe('GIF in, GIF out', () => {
  it('keeps pixels, delays and loop count when nothing is edited', async () => {
    for (const loop of [0, 3, null]) {
      const inputPath = await makeGif(`in-${loop}.gif`, { loop });
      const outputPath = path.join(folder, `out-${loop}.gif`);
      const result = await processVideo({ inputPath, outputPath, container: 'gif' });
      assert.deepEqual(await read(outputPath), await read(inputPath));
      assert.equal((await read(outputPath)).at(-1)?.loop, loop);
      // 0 and 1 are shown as 10, and paid for as that.
      assert.equal(result.durationSeconds, (5 + 7 + 100 + 10 + 10) / 100);
    }
  });

  it('keeps transparency, also where something moves away', async () => {
    const inputPath = await makeGif('transparent.gif', { transparent: true });
    const outputPath = path.join(folder, 'transparent-out.gif');
    await processVideo({ inputPath, outputPath, container: 'gif' });
    const pictures = await read(outputPath);
    for (const [index, { rgba }] of pictures.entries()) assert.deepEqual(rgba, picture(index, true));
    assert.equal((await probeVideo(outputPath)).alpha, true);
  });

  it('writes what another decoder reads the same', async () => {
    for (const transparent of [false, true]) {
      const filePath = await makeGif(`sharp-${transparent}.gif`, { transparent });
      const { data, info } = await sharp(filePath, { animated: true })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      assert.equal(info.height, HEIGHT * 5);
      const size = WIDTH * HEIGHT * 4;
      for (const [index, { rgba: ours }] of (await read(filePath)).entries()) {
        const theirs = data.subarray(index * size, (index + 1) * size);
        for (let i = 0; i < ours.length; i += 4) {
          assert.equal(theirs[i + 3], ours[i + 3]);
          if (ours[i + 3] === 255)
            assert.deepEqual([...theirs.subarray(i, i + 3)], [...ours.subarray(i, i + 3)]);
        }
      }
    }
  });

  it('reads what another encoder wrote, interlaced too', async () => {
    const raw = Buffer.concat([0, 1, 2].map((index) => picture(index, false)));
    for (const interlace of [false, true]) {
      const filePath = path.join(folder, `other-${interlace}.gif`);
      await sharp(raw, { raw: { width: WIDTH, height: HEIGHT * 3, channels: 4, pageHeight: HEIGHT } })
        .gif({ progressive: interlace, delay: [30, 40, 50], loop: 2, dither: 0 })
        .toFile(filePath);
      const theirs = await sharp(filePath, { animated: true }).ensureAlpha().raw().toBuffer();
      const ours = await read(filePath);
      assert.deepEqual(
        ours.map((p) => p.delayCs),
        [3, 4, 5],
      );
      assert.deepEqual(Buffer.concat(ours.map((p) => p.rgba)), theirs);
    }
  });

  it('leaves a still part still while something else is edited', async () => {
    const inputPath = await makeGif('still.gif');
    const outputPath = path.join(folder, 'still-out.gif');
    await processVideo({
      inputPath,
      outputPath,
      container: 'gif',
      onFrame: (frame) => {
        const rect = { x: 0, y: 0, width: 20, height: 20 };
        const image = frame.rgb(rect);
        for (let i = 0; i < image.data.length; i += 1) image.data[i] = (i * 31 + frame.index * 17) & 255;
        frame.commitRgb(rect, image);
      },
    });
    // The lower right corner never moves; a palette per picture would make it flicker.
    const corners = (await read(outputPath)).map(({ rgba }) =>
      rgba.slice((WIDTH * HEIGHT - 3) * 4).toString(),
    );
    assert.equal(new Set(corners).size, 1);
  });

  it('reads on to the end of a file cut anywhere, or says why not', async () => {
    const whole = await readFile(await makeGif('whole.gif'));
    for (let length = 1; length < whole.length; length += 97) {
      const inputPath = path.join(folder, 'cut.gif');
      await writeFile(inputPath, whole.subarray(0, length));
      const outputPath = path.join(folder, 'cut-out.gif');
      try {
        const result = await processVideo({ inputPath, outputPath, container: 'gif' });
        assert.ok(result.frameCount >= 1);
      } catch (error) {
        assert.ok(error instanceof MediaError, String(error));
      }
    }
    assert.deepEqual(
      (await readdir(folder)).filter((name) => /\.(part|frames)$/.test(name)),
      [],
    );
  });

  it('refuses a clip longer, larger or of more pictures than allowed', async () => {
    const inputPath = await makeGif('limits.gif', { delays: [100, 100, 100, 100] });
    const refused = (limits: object, code: string) =>
      assert.rejects(probeVideo(inputPath, limits), (e) => e instanceof MediaError && e.code === code);
    await refused({ maxSeconds: 3 }, 'TOO_LONG');
    await refused({ maxPixels: 1000 }, 'TOO_MANY_PIXELS');
    await refused({ maxFramesPerSecond: 0.4, maxSeconds: 4 }, 'TOO_MANY_FRAMES');
    assert.equal((await probeVideo(inputPath, { maxSeconds: 4 })).durationSeconds, 4);
  });
});

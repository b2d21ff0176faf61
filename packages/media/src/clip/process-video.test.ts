import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MediaError } from '../media-error.ts';
import { loadNodeAv, type NodeAv } from '../video/node-av.ts';
import { probeVideo } from './probe.ts';
import { processVideo } from './process-video.ts';
import { scanVideo } from '../video/scan-video.ts';
import { makeClip, QUARTER_TURN, readPackets, type TestClip } from '../video/test-clip.ts';
import type { LookAhead, MediaFrame, ProcessOptions } from '../video/video-types.ts';

const av = await loadNodeAv();

function tooLong(error: unknown): boolean {
  return error instanceof MediaError && error.code === 'TOO_LONG' && error.limit === 30;
}

describe('processVideo', { skip: av === null ? 'node-av is not installed' : false }, () => {
  const lib = av as NodeAv;
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'guise-video-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const even: TestClip = {
    container: 'mp4',
    width: 128,
    height: 96,
    ticks: Array.from({ length: 20 }, (_, i) => i * 512),
    timeBase: { num: 1, den: 12_800 },
  };

  /** Makes a clip, processes it, and describes both files. */
  async function run(name: string, clip: TestClip, options: Partial<ProcessOptions> = {}) {
    const inputPath = path.join(folder, `${name}-in.${clip.container}`);
    const container = options.container ?? (clip.container === 'mov' ? 'mp4' : clip.container);
    const outputPath = path.join(folder, `${name}-out.${container}`);
    await makeClip(lib, inputPath, clip);
    const result = await processVideo({ inputPath, outputPath, container, ...options });
    return {
      inputPath,
      outputPath,
      result,
      from: readPackets(lib, inputPath),
      to: readPackets(lib, outputPath),
    };
  }

  it('keeps every time stamp of a variable-rate clip, and its end', async () => {
    const ticks = [0, 300, 1500, 1501, 4000, 9000, 9100, 20_000, 20_033, 45_000];
    const { from, to, result } = await run('vfr', { ...even, ticks, timeBase: { num: 1, den: 90_000 } });
    // MP4 stores distances in decoding order, so only the stamps and the end of all can be
    // compared.
    assert.deepEqual(
      to.video.map((p) => p.seconds),
      from.video.map((p) => p.seconds),
    );
    assert.equal(to.video.at(-1)?.end, from.video.at(-1)?.end);
    assert.equal(to.video.length, ticks.length);
    assert.equal(result.frameCount, ticks.length);
  });

  it('copies AAC packet for packet from MP4 to MP4', async () => {
    const { from, to, result } = await run('aac', { ...even, sound: true });
    assert.ok(from.sound.length > 30);
    assert.deepEqual(to.sound, from.sound);
    assert.equal(result.audio, 'copied');
  });

  it('copies Opus packet for packet from WebM to WebM', async () => {
    const ticks = Array.from({ length: 10 }, (_, i) => i * 40);
    const clip: TestClip = {
      ...even,
      container: 'webm',
      ticks,
      timeBase: { num: 1, den: 1000 },
      sound: true,
    };
    const { from, to, result } = await run('opus', clip);
    assert.ok(from.sound.length > 30);
    assert.deepEqual(to.sound, from.sound);
    assert.deepEqual(
      to.video.map((p) => p.seconds),
      from.video.map((p) => p.seconds),
    );
    assert.equal(result.audio, 'copied');
  });

  it('encodes sound that the container does not take', async () => {
    const { to, result } = await run('recode', { ...even, sound: true }, { container: 'webm' });
    assert.equal(result.audio, 'encoded');
    assert.ok(to.sound.length > 30);
  });

  for (const input of ['mp4', 'mov', 'webm'] as const) {
    for (const container of ['mp4', 'mov', 'webm'] as const) {
      const isWebm = [input, container].map((each) => each === 'webm');
      const copies = isWebm[0] === isWebm[1];
      it(`writes a ${input} as ${container}: its time stamps, its sound ${copies ? 'packet for packet' : 'in the new codec'}`, async () => {
        const clip: TestClip = {
          ...even,
          container: input,
          ticks: [0, 40, 95, 100, 230, 400, 401, 700],
          timeBase: { num: 1, den: 1000 },
          sound: true,
        };
        const name = `${input}-to-${container}`;
        const { from, to, result, outputPath } = await run(name, clip, { container });
        assert.equal(result.container, container);
        assert.deepEqual(
          to.video.map((p) => p.seconds),
          from.video.map((p) => p.seconds),
        );
        assert.equal(result.audio, copies ? 'copied' : 'encoded');
        if (copies) {
          assert.deepEqual(
            to.sound.map((p) => p.hex),
            from.sound.map((p) => p.hex),
          );
        }
        const probe = await probeVideo(outputPath);
        assert.deepEqual(
          [probe.container, probe.contentType, probe.videoCodec, probe.audioCodec],
          container === 'webm'
            ? ['webm', 'video/webm', 'vp9', 'opus']
            : [container, container === 'mov' ? 'video/quicktime' : 'video/mp4', 'h264', 'aac'],
        );
      });
    }
  }

  it('gives upright pictures for a clip with rotation metadata', async () => {
    const seen: number[] = [];
    const { result, to, inputPath } = await run(
      'turned',
      { ...even, container: 'mov', displayMatrix: QUARTER_TURN },
      {
        onFrame: (frame) => {
          const { data, stride } = frame.luma();
          // Brightness rises from the stored top left; turned clockwise that corner is at the top
          // right.
          seen.push(data[frame.width - 1]! - data[(frame.height - 1) * stride]!);
        },
      },
    );
    assert.deepEqual([result.width, result.height], [96, 128]);
    assert.deepEqual([to.track.width, to.track.height], [96, 128]);
    assert.ok(seen.every((difference) => difference < -50));
    const probe = await probeVideo(inputPath);
    assert.deepEqual([probe.width, probe.height, probe.rotation], [96, 128, 90]);
    assert.equal((await probeVideo(path.join(folder, 'turned-out.mp4'))).rotation, 0);
  });

  it('drops one row of an odd size for MP4 and keeps it in WebM', async () => {
    const odd: TestClip = {
      ...even,
      container: 'webm',
      width: 75,
      height: 51,
      timeBase: { num: 1, den: 1000 },
    };
    assert.deepEqual((await run('odd', odd)).to.track.width, 75);
    const cut = (await run('odd-cut', odd, { container: 'mp4' })).to.track;
    assert.deepEqual([cut.width, cut.height], [74, 50]);
  });

  it('scales down to the short side asked for and never up', async () => {
    const small = await run('small', even, { maxShortSide: 48 });
    assert.deepEqual([small.result.width, small.result.height], [64, 48]);
    const same = await run('same', even, { maxShortSide: 720 });
    assert.deepEqual([same.result.width, same.result.height], [128, 96]);
  });

  it('tone-maps 10-bit HLG to 8-bit BT.709', async () => {
    const colour = { matrix: 9, transfer: 18, primaries: 9, range: 1 as const };
    const inputPath = path.join(folder, 'hlg.mp4');
    await makeClip(lib, inputPath, { ...even, pixelFormat: 'yuv420p10le', colour });
    assert.equal((await probeVideo(inputPath)).hdr, 'hlg');
    const outputPath = path.join(folder, 'hlg-out.mp4');
    await processVideo({ inputPath, outputPath, container: 'mp4' });
    const { track } = readPackets(lib, outputPath);
    assert.deepEqual([track.pixelFormat, track.colorSpace, track.colorTrc], ['yuv420p', 1, 1]);
  });

  it('keeps matrix and range tags of SDR clips', async () => {
    const colour = { matrix: 6, transfer: 6, primaries: 6, range: 2 as const };
    const { track } = (await run('range', { ...even, colour })).to;
    assert.deepEqual([track.colorSpace, track.colorTrc, track.colorRange], [6, 6, 2]);
  });

  it('keeps the alpha layer of a WebM', async () => {
    const clip: TestClip = {
      ...even,
      container: 'webm',
      pixelFormat: 'yuva420p',
      timeBase: { num: 1, den: 1000 },
    };
    const { to, outputPath } = await run('alpha', clip);
    assert.equal(to.track.alphaMode, '1');
    const gif = path.join(folder, 'alpha.gif');
    await processVideo({ inputPath: outputPath, outputPath: gif, container: 'gif' });
    const alphas: number[] = [];
    const { readGifFrames } = await import('../gif/read-gif.ts');
    const { DEFAULT_VIDEO_LIMITS } = await import('../video/video-types.ts');
    for await (const { rgba, width } of readGifFrames(gif, DEFAULT_VIDEO_LIMITS)) {
      alphas.push(rgba[3]!, rgba[(width - 1) * 4 + 3]!);
    }
    assert.deepEqual(alphas.slice(0, 2), [255, 0]);
  });

  it('makes a GIF of at most 30 pictures a second of any film, as long as the film', async () => {
    for (const rate of [25, 33, 60, 120]) {
      const inputPath = path.join(folder, `rate-${rate}.mp4`);
      const outputPath = path.join(folder, `rate-${rate}.gif`);
      const ticks = Array.from({ length: rate * 2 }, (_, i) => i * 12);
      await makeClip(lib, inputPath, { ...even, ticks, timeBase: { num: 1, den: rate * 12 } });
      const result = await processVideo({ inputPath, outputPath, container: 'gif' });
      const perSecond = result.frameCount / 2;
      assert.ok(perSecond <= 30.5 && perSecond >= 16, `${rate} became ${perSecond}`);
      assert.ok(Math.abs(result.durationSeconds - 2) < 0.03, `${result.durationSeconds} s`);
    }
  });

  it('shows an edit where it was made and nowhere else', async () => {
    const rect = { x: 32, y: 32, width: 32, height: 32 };
    const edit = (frame: MediaFrame) => {
      const outside = Buffer.from(frame.luma().data.subarray(0, frame.luma().stride * 32));
      const image = frame.rgb(rect);
      image.data.fill(200);
      frame.commitRgb(rect, image);
      assert.ok(outside.equals(Buffer.from(frame.luma().data.subarray(0, outside.length))));
    };
    const { outputPath } = await run('edit', even, { onFrame: edit });
    let checked = 0;
    await scanVideo(outputPath, (frame) => {
      const { data } = frame.rgb({ x: 44, y: 44, width: 8, height: 8 });
      assert.ok(data.every((value) => Math.abs(value - 200) <= 12));
      checked += 1;
    });
    assert.equal(checked, even.ticks.length);
  });

  it('hands frames out in order with progress that never falls', async () => {
    const indexes: number[] = [];
    const fractions: number[] = [];
    await run('order', even, {
      onFrame: (frame) => void indexes.push(frame.index),
      onProgress: ({ fraction }) => fractions.push(fraction),
    });
    assert.deepEqual(
      indexes,
      even.ticks.map((_, i) => i),
    );
    assert.deepEqual(
      fractions,
      fractions.toSorted((a, b) => a - b),
    );
    assert.equal(fractions.at(-1), 1);
  });

  it('leaves no file behind when the edit throws or the signal aborts', async () => {
    const inputPath = path.join(folder, 'failing.mp4');
    await makeClip(lib, inputPath, even);
    const empty = await mkdtemp(path.join(folder, 'empty-'));
    for (const container of ['mp4', 'webm', 'gif'] as const) {
      const outputPath = path.join(empty, `out.${container}`);
      const broken = new Error('edit failed');
      const onFrame = (frame: MediaFrame) => {
        if (frame.index === 5) throw broken;
      };
      await assert.rejects(processVideo({ inputPath, outputPath, container, onFrame }), broken);
      const stop = new AbortController();
      const aborting = (frame: MediaFrame) => {
        if (frame.index === 5) stop.abort();
      };
      const cancelled = processVideo({
        inputPath,
        outputPath,
        container,
        onFrame: aborting,
        signal: stop.signal,
      });
      await assert.rejects(cancelled, { name: 'AbortError' });
    }
    assert.deepEqual(await readdir(empty), []);
  });

  it('refuses to read a frame after its callback', async () => {
    let kept: MediaFrame | null = null;
    await run('kept', even, {
      onFrame: (frame) => {
        kept = frame;
      },
    });
    assert.throws(() => kept!.luma());
    assert.throws(() => kept!.rgb({ x: 0, y: 0, width: 4, height: 4 }));
  });

  it('ends a clip that is longer than allowed', async () => {
    const inputPath = path.join(folder, 'long.mp4');
    await makeClip(lib, inputPath, { ...even, ticks: [0, 12_800 * 20, 12_800 * 40] });
    await assert.rejects(probeVideo(inputPath, { maxSeconds: 30 }), tooLong);
    const outputPath = path.join(folder, 'long-out.mp4');
    const limits = { maxSeconds: 30 };
    await assert.rejects(processVideo({ inputPath, outputPath, container: 'mp4', limits }), tooLong);
  });

  it('shows every picture ahead, as far as asked for, before it is edited', async () => {
    const inputPath = path.join(folder, 'ahead.mp4');
    await makeClip(lib, inputPath, even);
    const count = even.ticks.length;
    const order: string[] = [];
    const lumas: number[] = [];
    const rect = { x: 0, y: 0, width: 16, height: 16 };
    const ahead = (isEnough: LookAhead['isEnough']) => ({
      isEnough,
      onFrame: (frame: MediaFrame) => {
        order.push(`look ${frame.index}`);
        lumas[frame.index] = frame.luma().data[0]!;
      },
    });
    const onFrame = (frame: MediaFrame) => {
      order.push(`draw ${frame.index}`);
      assert.equal(frame.luma().data[0]!, lumas[frame.index]);
      frame.commitRgb(rect, { data: new Uint8Array(16 * 16 * 3).fill(9), width: 16, height: 16 });
    };
    const run = async (by: LookAhead): Promise<number[]> => {
      order.length = 0;
      const outputPath = path.join(folder, 'ahead-out.mp4');
      const made = await processVideo({ inputPath, outputPath, container: 'mp4', ahead: by, onFrame });
      assert.equal(made.frameCount, count);
      assert.equal(new Set(order).size, 2 * count);
      return Array.from(
        { length: count },
        (_, index) =>
          order.slice(0, order.indexOf(`draw ${index}`)).filter((step) => step.startsWith('look')).length -
          1 -
          index,
      );
    };
    const until = (most: number): number[] =>
      Array.from({ length: count }, (_, index) => Math.min(most, count - 1 - index));
    assert.deepEqual(await run(ahead((_, seconds) => seconds > 0.13)), until(4));
    assert.deepEqual(await run(ahead((after) => after >= 3)), until(3));
    assert.deepEqual(await run(ahead(() => false)), until(count));
  });
});

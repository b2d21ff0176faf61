import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadNodeAv, type NodeAv } from '../video/backend.ts';
import { makeClip, QUARTER_TURN, readPackets, soundOnset, type TestClip } from '../video/test-clip.ts';
import { makeSource } from '../video/test-source.ts';
import { probeVideo } from '../clip/probe.ts';
import { DEFAULT_VIDEO_LIMITS, type MediaFrame } from '../video/video-types.ts';
import { probeWithPrograms } from './probe-programs.ts';
import { transcodeWithPrograms } from './transcode-programs.ts';

const av = await loadNodeAv();
const hasFfmpeg = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;
const skip = av === null ? 'node-av makes the clips' : hasFfmpeg ? false : 'ffmpeg is not on PATH';

describe('the ffmpeg programs as a fallback', { skip }, () => {
  const lib = av as NodeAv;
  let folder = '';
  const inFolder = (name: string): string => path.join(folder, name);
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'guise-programs-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const clip: TestClip = {
    container: 'mov',
    width: 128,
    height: 96,
    ticks: [0, 300, 1500, 1600, 4000, 9000, 9100, 20_000, 20_100, 45_000],
    timeBase: { num: 1, den: 90_000 },
    displayMatrix: QUARTER_TURN,
    sound: true,
  };

  it('keeps time stamps and AAC, and turns pictures upright', async () => {
    const inputPath = path.join(folder, 'in.mov');
    const outputPath = path.join(folder, 'out.mp4');
    await makeClip(lib, inputPath, clip);
    const probe = await probeWithPrograms(inputPath, 'mov', DEFAULT_VIDEO_LIMITS);
    assert.deepEqual([probe.width, probe.height, probe.rotation, probe.frameCount], [96, 128, 90, 10]);
    const rect = { x: 32, y: 32, width: 32, height: 32 };
    const result = await transcodeWithPrograms('mov', DEFAULT_VIDEO_LIMITS, {
      inputPath,
      outputPath,
      container: 'mp4',
      onFrame: (frame) => {
        const image = frame.rgb(rect);
        image.data.fill(200);
        frame.commitRgb(rect, image);
      },
    });
    assert.deepEqual(
      [result.width, result.height, result.audio, result.backend],
      [96, 128, 'copied', 'ffmpeg'],
    );
    const from = readPackets(lib, inputPath);
    const to = readPackets(lib, outputPath);
    assert.deepEqual(
      to.video.map((p) => p.seconds),
      from.video.map((p) => p.seconds),
    );
    assert.deepEqual(
      to.sound.map((p) => p.hex),
      from.sound.map((p) => p.hex),
    );
  });

  for (const container of ['mp4', 'mov', 'webm'] as const) {
    it(`writes ${container}, its sound copied or in the codec that belongs there`, async () => {
      for (const input of ['mp4', 'webm'] as const) {
        const inputPath = path.join(folder, `for-${container}.${input}`);
        const outputPath = path.join(folder, `from-${input}.${container}`);
        const ticks = clip.ticks.map((tick) => Math.round(tick / 90));
        await makeClip(lib, inputPath, {
          container: input,
          width: 128,
          height: 96,
          ticks,
          timeBase: { num: 1, den: 1000 },
          sound: true,
        });
        const options = { inputPath, outputPath, container };
        const result = await transcodeWithPrograms(input, DEFAULT_VIDEO_LIMITS, options);
        const copied = (container === 'webm') === (input === 'webm');
        assert.equal(result.audio, copied ? 'copied' : 'encoded');
        const probe = await probeVideo(outputPath);
        assert.deepEqual(
          [probe.container, probe.videoCodec, probe.audioCodec],
          container === 'webm' ? ['webm', 'vp9', 'opus'] : [container, 'h264', 'aac'],
        );
        assert.deepEqual(
          readPackets(lib, outputPath).video.map((p) => p.seconds),
          readPackets(lib, inputPath).video.map((p) => p.seconds),
        );
      }
    });
  }

  it('reads Matroska, AVI and MPEG-TS as the library does, whole and a part', async () => {
    await makeClip(lib, path.join(folder, 'from.mp4'), {
      container: 'mp4',
      width: 128,
      height: 96,
      ticks: Array.from({ length: 75 }, (_, index) => index),
      timeBase: { num: 1, den: 25 },
      sound: true,
      soundSeconds: 3,
      silentSeconds: 1.5,
    });
    for (const [container, source] of [
      ['mkv', { muxer: 'matroska', startSeconds: 4000 }],
      ['avi', { muxer: 'avi', encoder: 'mpeg4', bFrames: 2 }],
      ['ts', { muxer: 'mpegts', startSeconds: 80_000 }],
    ] as const) {
      const inputPath = path.join(folder, `from.${container}`);
      await makeSource(lib, path.join(folder, 'from.mp4'), inputPath, source);
      const probe = await probeWithPrograms(inputPath, container, DEFAULT_VIDEO_LIMITS);
      assert.deepEqual([probe.container, probe.frameCount, probe.audioCodec], [container, 75, 'aac']);
      for (const part of [null, { startSeconds: 1, endSeconds: 2 }]) {
        const outputPath = path.join(folder, `of-${container}.mp4`);
        const options = { inputPath, outputPath, container: 'mp4' as const, ...(part && { part }) };
        const result = await transcodeWithPrograms(container, DEFAULT_VIDEO_LIMITS, options);
        assert.equal(result.frameCount, part === null ? 75 : 25);
        const { video } = readPackets(lib, outputPath);
        const first = video[0]!.seconds;
        assert.ok(first >= 0 && first < 0.1, `${container} begins at ${first}`);
        for (const [k, { seconds }] of video.entries())
          assert.ok(Math.abs(seconds - first - k / 25) < 0.0015);
        const onset = (await soundOnset(lib, outputPath))! - first;
        assert.ok(Math.abs(onset - (part === null ? 1.5 : 0.5)) < 0.08, `${container}: sound at ${onset}`);
      }
    }
  });

  it('refuses what the library refuses: an AVI without times, a clock that jumps', async () => {
    const ticks = Array.from({ length: 75 }, (_, index) => index);
    const silent = {
      container: 'mp4',
      width: 128,
      height: 96,
      ticks,
      timeBase: { num: 1, den: 25 },
    } as const;
    await makeClip(lib, inFolder('silent.mp4'), silent);
    await makeSource(lib, inFolder('silent.mp4'), inFolder('early.ts'), { muxer: 'mpegts' });
    await makeSource(lib, inFolder('silent.mp4'), inFolder('late.ts'), { muxer: 'mpegts', startSeconds: 50 });
    await makeSource(lib, inFolder('early.ts'), inFolder('untimed.avi'), { muxer: 'avi' });
    await assert.rejects(probeWithPrograms(inFolder('untimed.avi'), 'avi', DEFAULT_VIDEO_LIMITS), {
      code: 'UNSUPPORTED',
    });
    const both = [await readFile(inFolder('early.ts')), await readFile(inFolder('late.ts'))];
    await writeFile(inFolder('spliced.ts'), Buffer.concat(both));
    await assert.rejects(probeWithPrograms(inFolder('spliced.ts'), 'ts', DEFAULT_VIDEO_LIMITS), {
      code: 'UNREADABLE',
      message: /its clock jumps/,
    });
  });

  it('leaves nothing behind when the edit throws', async () => {
    const inputPath = path.join(folder, 'again.mov');
    await makeClip(lib, inputPath, clip);
    const broken = new Error('edit failed');
    const onFrame = (frame: MediaFrame) => {
      if (frame.index === 4) throw broken;
    };
    const outputPath = path.join(folder, 'never.mp4');
    const options = { inputPath, outputPath, container: 'mp4' as const, onFrame };
    await assert.rejects(transcodeWithPrograms('mov', DEFAULT_VIDEO_LIMITS, options), broken);
    assert.ok(!(await readdir(folder)).some((name) => name.startsWith('never')));
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadNodeAv, type NodeAv } from '../video/backend.ts';
import { makeClip, QUARTER_TURN, readPackets, type TestClip } from '../video/test-clip.ts';
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

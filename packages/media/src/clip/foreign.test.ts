/** Matroska, AVI and MPEG-TS: read, and never written. */
import type { ClipFormat } from '@guise/contract/formats.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MediaError } from '../media-error.ts';
import { loadNodeAv, type NodeAv } from '../video/node-av.ts';
import { makeClip, readPackets, soundOnset } from '../video/test-clip.ts';
import { makeSource, type TestSource } from '../video/test-source.ts';
import { cutFilm } from '../film/cut-film.ts';
import { probeVideo } from './probe.ts';
import { processVideo } from './process-video.ts';

const loaded = await loadNodeAv();

interface Case {
  readonly name: string;
  readonly container: ClipFormat;
  readonly codec: string;
  readonly source: TestSource;
  /** How much the file's pictures come late: an AVI says nowhere that B-frames delay the first. */
  readonly lagSeconds?: number;
}

const CASES: readonly Case[] = [
  { name: 'plain.mkv', container: 'mkv', codec: 'h264', source: { muxer: 'matroska' } },
  { name: 'late.mkv', container: 'mkv', codec: 'h264', source: { muxer: 'matroska', startSeconds: 4000 } },
  { name: 'live.mkv', container: 'mkv', codec: 'h264', source: { muxer: 'matroska', options: { live: 1 } } },
  { name: 'plain.ts', container: 'ts', codec: 'h264', source: { muxer: 'mpegts' } },
  { name: 'late.ts', container: 'ts', codec: 'h264', source: { muxer: 'mpegts', startSeconds: 80_000 } },
  {
    name: 'camera.m2ts',
    container: 'ts',
    codec: 'h264',
    source: { muxer: 'mpegts', options: { mpegts_m2ts_mode: 1 } },
  },
  {
    name: 'refresh.ts',
    container: 'ts',
    codec: 'h264',
    source: { muxer: 'mpegts', encoder: 'libx264', x264Params: 'intra-refresh=1:keyint=10:bframes=0' },
  },
  {
    name: 'open-gop.ts',
    container: 'ts',
    codec: 'h264',
    source: { muxer: 'mpegts', encoder: 'libx264', x264Params: 'open-gop=1:keyint=10:bframes=3' },
  },
  {
    name: 'refresh.mkv',
    container: 'mkv',
    codec: 'h264',
    source: { muxer: 'matroska', encoder: 'libx264', x264Params: 'intra-refresh=1:keyint=10:bframes=0' },
  },
  {
    name: 'dvb.ts',
    container: 'ts',
    codec: 'mpeg2video',
    source: { muxer: 'mpegts', encoder: 'mpeg2video', bFrames: 2 },
  },
  { name: 'plain.avi', container: 'avi', codec: 'mpeg4', source: { muxer: 'avi', encoder: 'mpeg4' } },
  {
    name: 'b-frames.avi',
    container: 'avi',
    codec: 'mpeg4',
    source: { muxer: 'avi', encoder: 'mpeg4', bFrames: 2 },
    lagSeconds: 1 / 25,
  },
  { name: 'camera.avi', container: 'avi', codec: 'mjpeg', source: { muxer: 'avi', encoder: 'mjpeg' } },
];

describe(
  'containers that are only read',
  { skip: loaded === null ? 'node-av makes the clips' : false },
  () => {
    const av = loaded as NodeAv;
    let folder = '';
    const inFolder = (name: string): string => path.join(folder, name);
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'guise-foreign-'));
      await makeClip(av, inFolder('from.mp4'), {
        container: 'mp4',
        width: 128,
        height: 96,
        ticks: Array.from({ length: 75 }, (_, index) => index),
        timeBase: { num: 1, den: 25 },
        sound: true,
        soundSeconds: 3,
        silentSeconds: 1.5,
      });
      for (const { name, source } of CASES)
        await makeSource(av, inFolder('from.mp4'), inFolder(name), source);
    });
    after(() => rm(folder, { recursive: true, force: true }));

    /** Numbers of the pictures that are shown of a clip, by their brightness, which rises. */
    async function remake(name: string, options: { startSeconds: number; endSeconds: number } | null) {
      const brightness: number[] = [];
      const outputPath = inFolder(`${name}.out.mp4`);
      const result = await processVideo({
        inputPath: inFolder(name),
        outputPath,
        container: 'mp4',
        ...(options === null ? {} : { part: options }),
        onFrame: (frame) => {
          const { data, stride, width, height } = frame.luma();
          let sum = 0;
          for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) sum += data[y * stride + x]!;
          brightness.push(sum / (width * height));
        },
      });
      const { video } = readPackets(av, outputPath);
      return { result, brightness, times: video.map(({ seconds }) => seconds), outputPath };
    }

    for (const { name, container, codec, lagSeconds = 0 } of CASES) {
      it(`${name} becomes an MP4 with all pictures in step with the sound, from 0`, async () => {
        const probe = await probeVideo(inFolder(name));
        assert.deepEqual([probe.container, probe.videoCodec, probe.audioCodec], [container, codec, 'aac']);
        assert.deepEqual([probe.frameCount, Math.round(probe.durationSeconds * 25)], [75, 75]);
        assert.equal(probe.truncated, false);
        const plain = await remake('from.mp4', null);
        const { result, brightness, times, outputPath } = await remake(name, null);
        assert.deepEqual([result.frameCount, result.damagedFrames], [75, 0]);
        assert.ok(Math.abs(result.durationSeconds - 3) < 0.05, `${result.durationSeconds} s`);
        assert.ok(times[0]! >= 0 && times[0]! < 0.1, `begins at ${times[0]}`);
        for (const [k, time] of times.entries()) assert.ok(Math.abs(time - times[0]! - k / 25) < 0.0015);
        for (const [k, each] of brightness.entries())
          assert.ok(Math.abs(each - plain.brightness[k]!) < 0.75, `picture ${k}`);
        const onset = (await soundOnset(av, outputPath))! - times[0]! + lagSeconds;
        assert.ok(Math.abs(onset - (await soundOnset(av, plain.outputPath))!) < 1 / 30, `sound at ${onset}`);
      });

      it(`a part of ${name} is exact to the frame, its sound in step`, async () => {
        const part = { startSeconds: 1, endSeconds: 2 };
        const plain = await remake('from.mp4', part);
        const { brightness, times, outputPath } = await remake(name, part);
        assert.equal(brightness.length, 25);
        for (const [k, each] of brightness.entries())
          assert.ok(Math.abs(each - plain.brightness[k]!) < 0.75, `picture ${k}`);
        const onset = (await soundOnset(av, outputPath))! - times[0]! + lagSeconds;
        assert.ok(Math.abs(onset - (await soundOnset(av, plain.outputPath))!) < 1 / 30, `sound at ${onset}`);
        const cut = await cutFilm(inFolder(name), {}, part);
        assert.deepEqual([cut.frameCount, Math.round(cut.seconds * 25)], [25, 25]);
      });
    }

    it('H.264 with B-frames in an AVI, whose pictures have no time, is refused in so many words', async () => {
      await makeClip(av, inFolder('silent.mp4'), {
        container: 'mp4',
        width: 128,
        height: 96,
        ticks: Array.from({ length: 75 }, (_, index) => index),
        timeBase: { num: 1, den: 25 },
      });
      await makeSource(av, inFolder('silent.mp4'), inFolder('silent.ts'), { muxer: 'mpegts' });
      await makeSource(av, inFolder('silent.ts'), inFolder('untimed.avi'), { muxer: 'avi' });
      const says = { code: 'UNSUPPORTED', message: /codec h264 with B-frames is not supported in an AVI/ };
      await assert.rejects(probeVideo(inFolder('untimed.avi')), says);
      await assert.rejects(remake('untimed.avi', null), says);
    });

    it('recordings that were put together are refused: their clock jumps', async () => {
      const [early, late] = [await readFile(inFolder('plain.ts')), await readFile(inFolder('late.ts'))];
      for (const bytes of [Buffer.concat([early, late]), Buffer.concat([late, early])]) {
        await writeFile(inFolder('spliced.ts'), bytes);
        const says = { code: 'UNREADABLE', message: /its clock jumps/ };
        await assert.rejects(probeVideo(inFolder('spliced.ts')), says);
        await assert.rejects(remake('spliced.ts', null), says);
        await assert.rejects(cutFilm(inFolder('spliced.ts')), says);
      }
    });

    it('a recording that begins between key frames begins with the first one', async () => {
      const bytes = await readFile(inFolder('dvb.ts'));
      // The tables are repeated: what is cut off is the first group of pictures.
      const cut = Math.floor(bytes.length / 4 / 188) * 188;
      await writeFile(inFolder('begun.ts'), bytes.subarray(cut));
      const probe = await probeVideo(inFolder('begun.ts'));
      assert.ok(probe.frameCount > 40 && probe.frameCount < 75, `${probe.frameCount} pictures`);
      const { result, times } = await remake('begun.ts', null);
      assert.ok(Math.abs(result.frameCount - probe.frameCount) <= 2);
      assert.ok(times[0]! < 1.5);
    });

    it('damage and lies end in a result or a MediaError', async () => {
      for (const { name } of CASES) {
        const bytes = await readFile(inFolder(name));
        const damaged: Buffer[] = [bytes.subarray(0, 100), bytes.subarray(0, 5 * 188 + 70)];
        damaged.push(bytes.subarray(0, bytes.length >> 1));
        for (const step of [97, 1009]) {
          const copy = Buffer.from(bytes);
          for (let at = 200; at < copy.length; at += step) copy[at]! ^= 0x55;
          damaged.push(copy);
        }
        // Sizes and rates in the header as large as they get.
        const absurd = Buffer.from(bytes);
        absurd.fill(0xff, 20, 120);
        damaged.push(absurd);
        for (const body of damaged) {
          await writeFile(inFolder('damaged'), body);
          for (const attempt of [
            () => probeVideo(inFolder('damaged')),
            () => remake('damaged', null),
            () => cutFilm(inFolder('damaged')),
          ])
            await attempt().catch((error: unknown) =>
              assert.ok(error instanceof MediaError, `${name} ${error}`),
            );
        }
      }
    });
  },
);

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { processVideo } from '../clip/process-video.ts';
import { cutFilm } from '../film/cut-film.ts';
import { drawFrames } from '../film/draw-frames.ts';
import { joinFilm } from '../film/join-film.ts';
import { studyFrames } from '../film/study-frames.ts';
import { checkCut } from '../film/check-film.ts';
import { GifWriter } from '../gif/gif-writer.ts';
import { PaletteSampler } from '../gif/palette.ts';
import { loadNodeAv } from './node-av.ts';
import { partOf } from './clip-part.ts';
import { makeClip, readPackets, soundOnset, type TestClip } from './test-clip.ts';
import type { MediaFrame, ProcessOptions } from './video-types.ts';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
const dir = await mkdtemp(path.join(tmpdir(), 'guise-part-'));
const inDir = (name: string): string => path.join(dir, name);
after(() => rm(dir, { recursive: true, force: true }));

/** Most time by which sound may be out of step. */
const STEP_SECONDS = 1 / 30;

/** 12 s at 25 pictures a second: key frames at 0, 5 and 10 s. The sound begins at 3 s. */
const STEADY: Omit<TestClip, 'container'> = {
  width: 64,
  height: 48,
  ticks: Array.from({ length: 300 }, (_, k) => 40 * k),
  timeBase: { num: 1, den: 1000 },
  sound: true,
  soundSeconds: 12,
  silentSeconds: 3,
};

/** Mean luma of a picture, by which it is known. */
function lumaOf(frame: MediaFrame): number {
  const { data, stride, width, height } = frame.luma();
  let sum = 0;
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) sum += data[y * stride + x]!;
  return sum / (width * height);
}

interface Shown {
  readonly times: number[];
  readonly lumas: number[];
}

async function process(
  inputPath: string,
  name: string,
  options: Pick<ProcessOptions, 'container' | 'part'>,
): Promise<Shown & { readonly outputPath: string; readonly seconds: number; readonly audio: string }> {
  const outputPath = inDir(`${name}.${options.container}`);
  const times: number[] = [];
  const lumas: number[] = [];
  const onFrame = (frame: MediaFrame): void => {
    times.push(frame.timeSeconds);
    lumas.push(lumaOf(frame));
  };
  const { durationSeconds, audio } = await processVideo({ inputPath, outputPath, onFrame, ...options });
  return { outputPath, times, lumas, seconds: durationSeconds, audio };
}

for (const container of ['mp4', 'mov', 'webm'] as const) {
  test(`a part of a ${container} has its very pictures, and its sound in step`, { skip }, async () => {
    const input = inDir(`steady.${container}`);
    await makeClip(av!, input, { ...STEADY, container });
    const whole = await process(input, 'whole', { container });
    for (const [startSeconds, endSeconds] of [
      [0, 0.52],
      [2.04, 4.6],
      [5.2, 11.96],
      [11.4, 12],
    ] as const) {
      const name = `part-${startSeconds}`;
      const made = await process(input, name, { container, part: { startSeconds, endSeconds } });
      const [from, to] = [Math.round(25 * startSeconds), Math.round(25 * endSeconds)];
      assert.deepEqual(made.lumas, whole.lumas.slice(from, to), `pictures from ${startSeconds}`);
      assert.deepEqual(
        made.times,
        made.times.map((_, k) => Math.round(40_000 * k) / 1e6),
      );
      assert.ok(Math.abs(made.seconds - (endSeconds - startSeconds)) < 0.002, `${made.seconds} s`);
      assert.equal(made.audio, 'copied');
      const { video, sound } = readPackets(av!, made.outputPath);
      assert.deepEqual([video.length, video[0]!.seconds], [to - from, 0]);
      const first = Math.max(0, sound[0]!.seconds);
      assert.ok(first < STEP_SECONDS && sound.at(-1)!.seconds < endSeconds - startSeconds);
      assert.ok(sound.at(-1)!.seconds > endSeconds - startSeconds - 2 * STEP_SECONDS);
      const expected = Math.max(0, 3 - startSeconds);
      if (endSeconds > 3) {
        const onset = await soundOnset(av!, made.outputPath);
        assert.ok(onset !== null && Math.abs(onset - expected) < STEP_SECONDS, `${onset} for ${expected}`);
      }
    }
  });
}

test('sound that is encoded again is cut with its pictures', { skip }, async () => {
  const input = inDir('recoded.mp4');
  await makeClip(av!, input, { ...STEADY, container: 'mp4' });
  const part = { startSeconds: 2.04, endSeconds: 6 };
  const made = await process(input, 'recoded', { container: 'webm', part });
  assert.equal(made.audio, 'encoded');
  const onset = await soundOnset(av!, made.outputPath);
  assert.ok(onset !== null && Math.abs(onset - 0.96) < STEP_SECONDS, `${onset}`);
  const { sound } = readPackets(av!, made.outputPath);
  assert.ok(Math.abs(sound.at(-1)!.seconds - 3.96) < 2 * STEP_SECONDS);
});

test('what is on the screen when a part begins is its first picture', { skip }, async () => {
  const input = inDir('slow.mp4');
  await makeClip(av!, input, { ...STEADY, container: 'mp4', sound: false, ticks: [0, 2000, 4000, 6000] });
  const whole = await process(input, 'slow-whole', { container: 'mp4' });
  const made = await process(input, 'slow-part', {
    container: 'mp4',
    part: { startSeconds: 2.5, endSeconds: 4.5 },
  });
  assert.deepEqual(made.lumas, whole.lumas.slice(1, 3));
  assert.deepEqual(made.times, [0, 1.5]);
  assert.ok(Math.abs(made.seconds - 2) < 0.01, `${made.seconds} s`);
  const still = await process(input, 'still', {
    container: 'mp4',
    part: { startSeconds: 6.5, endSeconds: 7.5 },
  });
  assert.deepEqual(still.lumas, whole.lumas.slice(3));
});

test('a moment that was rounded to milliseconds means the picture that begins there', () => {
  const ticks = Array.from({ length: 90 }, (_, k) => 3003 * k);
  const map = {
    timeBase: { num: 1, den: 90_000 },
    originTick: 7n,
    storedEndTick: 270_270,
    endTick: 270_270,
    ticks,
    keyFrames: [
      { packet: 0, tick: 0 },
      { packet: 30, tick: 90_090 },
    ],
  };
  for (const [start, skipped] of [
    [1.001, 30],
    [0.968, 0],
    [1.034, 30],
  ] as const) {
    const frame = Math.round((start * 90_000) / 3003);
    const range = partOf(map, { startSeconds: start, endSeconds: 2.002 });
    assert.deepEqual(
      [range.fromTick, range.toTick, range.frameCount, range.skippedPackets],
      [7n + BigInt(3003 * frame), 7n + 180_180n, 60 - frame, skipped],
    );
  }
});

test('a part of a video becomes a GIF of that part', { skip }, async () => {
  const input = inDir('to-gif.mp4');
  await makeClip(av!, input, { ...STEADY, container: 'mp4', sound: false });
  const whole = await process(input, 'gif-whole', { container: 'gif' });
  const made = await process(input, 'gif-part', {
    container: 'gif',
    part: { startSeconds: 5.2, endSeconds: 7.2 },
  });
  assert.deepEqual(made.lumas, whole.lumas.slice(130, 180));
  assert.equal(made.seconds, 2);
});

test('a part of a GIF shows each picture for as long as it is in it', async () => {
  const input = inDir('source.gif');
  const delays = [50, 5, 200, 0, 30];
  const pictures = delays.map((_, k) => {
    const rgba = new Uint8Array(20 * 16 * 4).fill(255);
    for (let i = 0; i < rgba.length; i += 4) rgba.set([40 * k, 60, 90], i);
    return rgba;
  });
  const sampler = new PaletteSampler(20 * 16 * delays.length);
  for (const rgba of pictures) sampler.add(rgba);
  const palette = await sampler.palette();
  const settings = { width: 20, height: 16, palette, transparency: false, loop: 0, noisy: false };
  const writer = await GifWriter.create(input, settings);
  for (const [k, rgba] of pictures.entries()) await writer.add(rgba, delays[k]!);
  await writer.finish();
  await writer.close();
  const whole = await process(input, 'gif-all', { container: 'gif' });
  const made = await process(input, 'gif-some', {
    container: 'gif',
    part: { startSeconds: 0.52, endSeconds: 2.6 },
  });
  assert.deepEqual(made.lumas, whole.lumas.slice(1, 4));
  assert.deepEqual(made.times, [0, 0.03, 2.03]);
  assert.equal(made.seconds, 2.08);
});

test('a part of a film, drawn in segments, is the same part', { skip }, async () => {
  const input = inDir('long.mp4');
  const ticks = Array.from({ length: 25 * 16 }, (_, k) => 200 * k);
  await makeClip(av!, input, { ...STEADY, container: 'mp4', ticks, soundSeconds: 80, silentSeconds: 40 });
  const whole = await process(input, 'long-whole', { container: 'mp4' });
  const part = { startSeconds: 9.4, endSeconds: 71 };
  const cut = await cutFilm(input, {}, part);
  assert.deepEqual(checkCut(JSON.parse(JSON.stringify(cut))), cut);
  assert.throws(() => checkCut({ ...cut, part: { ticks: -1, filmOriginTick: '0' } }));
  assert.deepEqual([cut.starts.length, cut.frameCount, cut.seconds], [2, 308, 61.6]);
  const wish = { inputPath: input, cut, container: 'mp4' } as const;
  const ends = [...cut.starts.slice(1), Infinity];
  const study = await studyFrames({ ...wish, from: 0, to: Infinity, onFrame: () => {} });
  const lumas: number[] = [];
  const segmentPaths: string[] = [];
  for (const [k, from] of cut.starts.entries()) {
    const outputPath = inDir(`long-${k}`);
    segmentPaths.push(outputPath);
    const onFrame = async (frame: MediaFrame, tick: number): Promise<void> => {
      if (tick >= from) lumas.push(lumaOf(frame));
    };
    const range = { from, to: ends[k]!, lead: k === 0 ? [] : [from - 200] };
    await drawFrames({ ...wish, ...range, outputPath, shape: study.shape!, onFrame });
  }
  assert.deepEqual(lumas, whole.lumas.slice(47, 355));
  const outputPath = inDir('long-part.mp4');
  const joined = await joinFilm({ ...wish, segmentPaths, outputPath, shape: study.shape! });
  assert.deepEqual([joined.frameCount, joined.durationSeconds, joined.audio], [308, 61.6, 'copied']);
  const { video } = readPackets(av!, outputPath);
  assert.deepEqual([video[0]!.seconds, video.at(-1)!.end], [0, 61.6]);
  const onset = await soundOnset(av!, outputPath);
  assert.ok(onset !== null && Math.abs(onset - 30.6) < STEP_SECONDS, `${onset}`);
});

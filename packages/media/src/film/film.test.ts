import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { probeVideo } from '../clip/probe.ts';
import { loadNodeAv } from '../video/node-av.ts';
import { scanVideo } from '../video/scan-video.ts';
import { makeClip, soundOnset } from '../video/test-clip.ts';
import { makeSource } from '../video/test-source.ts';
import type { MediaFrame } from '../video/video-types.ts';
import type { PictureShape } from '../video/video-encoder.ts';
import { checkCut, checkShape } from './check-film.ts';
import { cutFilm, type FilmCut, startsOf } from './cut-film.ts';
import { drawFrames } from './draw-frames.ts';
import { decodingTimes, joinFilm } from './join-film.ts';
import { PacketReader } from './packet-file.ts';
import { studyFrames } from './study-frames.ts';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
const dir = await mkdtemp(path.join(tmpdir(), 'guise-film-'));
const inDir = (name: string): string => path.join(dir, name);
after(() => rm(dir, { recursive: true, force: true }));

/** Key frames every so many seconds of 1000 ticks. */
function keysEvery(seconds: number, total: number): FilmCut['keyFrames'] {
  const count = Math.ceil(total / seconds);
  return Array.from({ length: count }, (_, i) => ({ packet: 25 * i, tick: 1000 * seconds * i }));
}

test('a film is cut into equal segments of about thirty seconds', () => {
  assert.deepEqual(startsOf(60_000, 1000, keysEvery(5, 60)), [0, 30_000]);
  assert.equal(startsOf(600_000, 1000, keysEvery(5, 600)).length, 20);
});

test('a film of rare key frames is cut into fewer segments, but always into two', () => {
  const rare = startsOf(600_000, 1000, keysEvery(100, 600));
  assert.ok(rare.length > 2 && rare.length < 20, `${rare.length} segments`);
  assert.deepEqual(startsOf(600_000, 1000, keysEvery(600, 600)), [0, 300_000]);
});

test('decoding times rise across segments of uneven frame times, and none is after its picture', () => {
  const packets = [0, 30, 10, 20, 95, 50, 80, 100, 200, 110, 150, 210].map((tick) => ({ tick }));
  const times = decodingTimes(packets);
  for (const [k, time] of times.entries()) {
    assert.ok(time <= packets[k]!.tick);
    assert.ok(k === 0 || time > times[k - 1]!);
  }
});

interface Joined {
  readonly file: string;
  readonly segments: readonly string[];
}

/** A film of a picture a second, cut, drawn without a change and joined. */
async function remake(
  name: string,
  container: 'mp4' | 'webm',
  order: 'forward' | 'backward',
): Promise<Joined> {
  const input = inDir(name);
  const cut = await cutFilm(input);
  const ends = [...cut.starts.slice(1), Infinity];
  const ticks: number[] = [];
  let shape: PictureShape | null = null;
  for (const [k, from] of cut.starts.entries()) {
    const onFrame = (_: unknown, tick: number): void => void ticks.push(tick);
    shape ??= (await studyFrames({ inputPath: input, cut, container, from, to: ends[k]!, onFrame })).shape;
  }
  const numbers = [...cut.starts.keys()];
  const segments = numbers.map((k) => inDir(`${name}-${order}-${k}`));
  for (const k of order === 'forward' ? numbers : numbers.toReversed()) {
    const from = cut.starts[k]!;
    const seen: number[] = [];
    await drawFrames({
      inputPath: input,
      outputPath: segments[k]!,
      cut,
      container,
      shape: shape!,
      from,
      to: ends[k]!,
      lead: ticks.filter((tick) => tick < from).slice(-2),
      onFrame: async (_, tick) => void seen.push(tick),
    });
    assert.equal(seen.filter((tick) => tick < from).length, Math.min(2, 2 * k));
  }
  const file = inDir(`${name}-${order}.${container}`);
  await joinFilm({
    inputPath: input,
    segmentPaths: segments,
    outputPath: file,
    container,
    cut,
    shape: shape!,
  });
  return { file, segments };
}

async function framesOf(file: string): Promise<{ times: number[]; lumas: number[] }> {
  const times: number[] = [];
  const lumas: number[] = [];
  await scanVideo(file, (frame) => {
    times.push(frame.timeSeconds);
    const { data, stride, width, height } = frame.luma();
    let sum = 0;
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) sum += data[y * stride + x]!;
    lumas.push(sum / (width * height));
  });
  return { times, lumas };
}

test('a film of uneven frame times keeps each, its pictures and its sound', { skip }, async () => {
  // Pictures of 90 ms and 160 ms in turns, and a long one.
  let at = 500;
  const ticks = Array.from({ length: 520 }, (_, k) => (at += k === 300 ? 3000 : k % 2 ? 90 : 160));
  const clip = {
    container: 'mp4',
    width: 64,
    height: 48,
    ticks,
    timeBase: { num: 1, den: 1000 },
    sound: true,
  } as const;
  await makeClip(av!, inDir('uneven.mp4'), clip);
  const { file, segments } = await remake('uneven.mp4', 'mp4', 'forward');
  assert.ok(segments.length === 2);
  const [before, now] = [await framesOf(inDir('uneven.mp4')), await framesOf(file)];
  assert.deepEqual(now.times, before.times);
  assert.ok(now.lumas.every((luma, k) => Math.abs(luma - before.lumas[k]!) < 3));
  const probe = await probeVideo(file);
  assert.deepEqual([probe.audioCodec, probe.frameCount], ['aac', ticks.length]);
});

test("a study's last picture is valid until its end, and no picture after it", { skip }, async () => {
  const ticks = Array.from({ length: 620 }, (_, k) => 12 * k);
  const timeBase = { num: 1, den: 120 };
  await makeClip(av!, inDir('last.mp4'), { container: 'mp4', width: 64, height: 48, ticks, timeBase });
  const cut = await cutFilm(inDir('last.mp4'));
  const last: MediaFrame[] = [];
  let greyAtEnd = -1;
  await studyFrames({
    inputPath: inDir('last.mp4'),
    cut,
    container: 'mp4',
    from: 0,
    to: cut.starts[1] ?? Infinity,
    onFrame: (frame) => void (last[0] = frame),
    onEnd: () => void (greyAtEnd = last[0]!.luma().data[0]!),
  });
  assert.ok(greyAtEnd >= 0);
  assert.throws(() => last[0]!.luma(), /used after its callback/);
});

test('a film in Matroska, AVI or MPEG-TS keeps its pictures and its sound', { skip }, async () => {
  await makeClip(av!, inDir('from.mp4'), {
    container: 'mp4',
    width: 64,
    height: 48,
    ticks: Array.from({ length: 620 }, (_, k) => 12 * k),
    timeBase: { num: 1, den: 120 },
    sound: true,
    soundSeconds: 62,
    silentSeconds: 45,
  });
  const before = await framesOf(inDir('from.mp4'));
  for (const [name, source] of [
    ['film.mkv', { muxer: 'matroska' }],
    ['film.avi', { muxer: 'avi', encoder: 'mpeg4', bFrames: 2 }],
    ['film.ts', { muxer: 'mpegts', startSeconds: 5000 }],
    ['dvb.ts', { muxer: 'mpegts', encoder: 'mpeg2video', bFrames: 2 }],
  ] as const) {
    await makeSource(av!, inDir('from.mp4'), inDir(name), source);
    const { file, segments } = await remake(name, 'mp4', 'backward');
    assert.equal(segments.length, 2);
    const now = await framesOf(file);
    assert.equal(now.times.length, 620, name);
    for (const [k, time] of now.times.entries()) assert.ok(Math.abs(time - k / 10) < 0.002, `${name} ${k}`);
    for (const [k, luma] of now.lumas.entries())
      assert.ok(Math.abs(luma - before.lumas[k]!) < 3, `${name} ${k}`);
    // The sound may begin with the encoder's lead-in, and an AVI delays pictures for B-frames.
    const onset = (await soundOnset(av!, file))!;
    assert.ok(Math.abs(onset - 45) < 0.13, `${name}: sound at ${onset}`);
  }
});

test('packets are the same whatever was drawn before, with alpha too', { skip }, async () => {
  const ticks = Array.from({ length: 450 }, (_, k) => 210 * k);
  for (const [container, pixelFormat] of [
    ['mp4', 'yuv420p'],
    ['webm', 'yuva420p'],
  ] as const) {
    const name = `same.${container}`;
    await makeClip(av!, inDir(name), {
      container,
      pixelFormat,
      width: 66,
      height: 50,
      ticks,
      timeBase: { num: 1, den: 1000 },
    });
    const forward = await remake(name, container, 'forward');
    const backward = await remake(name, container, 'backward');
    for (const [k, segment] of forward.segments.entries())
      assert.ok((await readFile(segment)).equals(await readFile(backward.segments[k]!)));
    assert.deepEqual((await probeVideo(forward.file)).alpha, container === 'webm');
  }
});

test('a packet file that is cut short, or lies, is refused', { skip }, async () => {
  // Drawn by the test before.
  const bytes = await readFile(inDir('same.mp4-forward-0'));
  const damaged = inDir('damaged');
  const opening = (): Promise<PacketReader> => PacketReader.open(damaged, 10_000);
  for (const size of [0, 3, bytes.length >> 1, bytes.length - 1]) {
    await writeFile(damaged, bytes);
    await truncate(damaged, size);
    await assert.rejects(opening());
  }
  const indexBytes = bytes.readUInt32BE(bytes.length - 4);
  const index = JSON.parse(bytes.toString('utf8', bytes.length - 4 - indexBytes, bytes.length - 4)) as {
    packets: number[][];
  };
  for (const lie of [-1, 1.5, 2 ** 40, '7', null]) {
    const packets = [[index.packets[0]![0]!, 0, 1, lie, 0], ...index.packets.slice(1)];
    const json = Buffer.from(JSON.stringify({ ...index, packets }));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(json.length);
    await writeFile(damaged, Buffer.concat([bytes.subarray(0, bytes.length - 4 - indexBytes), json, length]));
    await assert.rejects(opening());
  }
  await writeFile(damaged, bytes);
  await assert.rejects(PacketReader.open(damaged, 3));
});

test('a cut or a shape that lies is refused', { skip }, async () => {
  const cut = await cutFilm(inDir('same.mp4'));
  assert.deepEqual(checkCut(JSON.parse(JSON.stringify(cut))), cut);
  for (const lie of [
    { starts: [] },
    { starts: [0, 5, 5] },
    { starts: [1] },
    { originTick: '1e400' },
    { timeBase: { num: 0, den: 1 } },
    { keyFrames: [] },
    { keyFrames: [{ packet: -1, tick: 0 }] },
    { frameCount: Infinity },
  ])
    assert.throws(() => checkCut({ ...cut, ...lie }));
  for (const lie of [{ width: 0 }, { width: 1e6 }, { format: -1 }, { sampleAspectRatio: null }])
    assert.throws(() => checkShape({ width: 64, height: 64, ...lie }));
});

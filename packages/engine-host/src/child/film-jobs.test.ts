import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { probeVideo } from '@guise/media/clip/probe.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';
import { EngineProcess } from '../parent/engine-process.ts';
import { BLANK_SIGNER } from '../protocol/blank-signer.ts';
import type {
  ChooseFacesOutcome,
  DrawSegmentJob,
  EngineJob,
  EngineOutcome,
  JoinFilmOutcome,
  PersonMapping,
} from '../protocol/engine-job.ts';
import { composeClip, type ComposedClip, type Tile } from '../testing/compose-clip.ts';
import { readWatermark } from '@guise/media/watermark/read-watermark.ts';
import { labelLikeness } from '../testing/label-likeness.ts';
import { createJobTools } from './job-tools.ts';
import { runJob } from './run-job.ts';
import { TEST_MODELS } from '@guise/engine/models/testing/test-models.ts';
import { engine } from '@guise/engine/pipeline/testing/test-engine.ts';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
const dir = await mkdtemp(path.join(tmpdir(), 'guise-film-jobs-'));
const inDir = (name: string): string => path.join(dir, name);
const { face, body } = await readSampleFaces();
const sourcePath = inDir('source.jpg');
await writeFile(sourcePath, body);
after(() => rm(dir, { recursive: true, force: true }));

/** Frames a second of the tests' film. */
const RATE = 1;
const FRAMES = 62 * RATE;
/** First frame after the cut of the film of two people. */
const CUT_FRAME = 25 * RATE;
const [WIDTH, HEIGHT] = [320, 288];

/** A film of the sample face, which drifts to and fro in a light that changes slowly. */
async function driftingFilm(file: string): Promise<void> {
  const plain = `${file}.plain.mp4`;
  const ticks = Array.from({ length: FRAMES }, (_, k) => k);
  const clip = { container: 'mp4', width: WIDTH, height: HEIGHT, ticks, sound: true } as const;
  await makeClip(av!, plain, { ...clip, timeBase: { num: 1, den: RATE } });
  const { data } = await sharp(face).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  await processVideo({
    inputPath: plain,
    outputPath: file,
    container: 'mp4',
    onFrame: (frame) => {
      const x = Math.round(30 + 24 * Math.sin(frame.index / 9));
      const gain = 0.85 + 0.15 * Math.sin(frame.index / 23);
      const lit = Uint8Array.from(data, (value) => value * gain);
      frame.commitRgb({ x, y: 14, width: 256, height: 256 }, { data: lit, width: 256, height: 256 });
    },
  });
}

type Run = <J extends EngineJob>(job: J) => Promise<EngineOutcome<J>>;

const numbersInTurn = (all: number[]): number[] => all;
const WATERMARK = '0180ff005ac3';
const numbers = (count: number): number[] => Array.from({ length: count }, (_, k) => k);

/** Makes a film step by step. @returns what each step made, in the order of the film */
async function makeFilm(
  run: Run,
  targetPath: string,
  name: string,
  order: (numbers: number[]) => number[],
  mappings?: readonly PersonMapping[],
  marks: Pick<DrawSegmentJob, 'label' | 'watermark'> = {},
): Promise<{ files: Buffer[]; film: string; outcome: JoinFilmOutcome; chosen: ChooseFacesOutcome }> {
  const at = (what: string): string => inDir(`${name}-${what}`);
  const sources = (mappings ?? [{ name: undefined }]).map(({ name }) => ({ name, path: sourcePath }));
  const photo = { sources, maxPixels: 10_000_000 };
  const wish = { targetPath, container: 'mp4', size: {} } as const;
  const [cutPath, planPath, film] = [at('cut'), at('plan'), at('film.mp4')];
  const cut = await run({ kind: 'cut-film', ...photo, mappings, targetPath, outputPath: cutPath });
  for (const segment of order(numbers(cut.segments)))
    await run({
      kind: 'study-segment',
      ...wish,
      cutPath,
      segment,
      isApart: mappings !== undefined,
      outputPath: at(`study-${segment}`),
    });
  const studyPaths = numbers(cut.segments).map((k) => at(`study-${k}`));
  const { persons } = cut;
  const chosen = await run({ kind: 'choose-faces', cutPath, studyPaths, persons, outputPath: planPath });
  const restore = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };
  for (const segment of order(numbers(chosen.segments))) {
    const outputPath = at(`segment-${segment}`);
    await run({ kind: 'draw-segment', ...wish, ...photo, restore, ...marks, planPath, segment, outputPath });
  }
  const segmentPaths = numbers(chosen.segments).map((k) => at(`segment-${k}`));
  const outcome = await run({ kind: 'join-film', ...wish, planPath, segmentPaths, outputPath: film });
  const made = [cutPath, ...studyPaths, planPath, ...segmentPaths];
  return {
    files: await Promise.all(made.map((file) => readFile(file))),
    film,
    outcome,
    chosen,
  };
}

const runHere: Run = async <J extends EngineJob>(job: J) => {
  const hooks = { signal: new AbortController().signal, signer: BLANK_SIGNER, onProgress: () => {} };
  return (await runJob(createJobTools(engine), job, hooks)) as EngineOutcome<J>;
};

/** Returns the luma of each frame of a film, packed. */
async function lumasOf(file: string): Promise<Uint8Array[]> {
  const lumas: Uint8Array[] = [];
  await scanVideo(file, (frame) => {
    const { data, stride } = frame.luma();
    const { width, height } = frame;
    const luma = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) luma.set(data.subarray(y * stride, y * stride + width), y * width);
    lumas.push(luma);
  });
  return lumas;
}

/** Mean change of luma from each frame to the next. */
async function stepsOf(file: string): Promise<number[]> {
  const lumas = await lumasOf(file);
  return lumas.slice(1).map((now, k) => {
    const last = lumas[k]!;
    return now.reduce((sum, value, i) => sum + Math.abs(value - last[i]!), 0) / now.length;
  });
}

test(
  'processes that share a film make the packets that one process makes, and no seam shows',
  { skip },
  async (context) => {
    const target = inDir('drifting.mp4');
    await driftingFilm(target);
    const one = await makeFilm(runHere, target, 'one', numbersInTurn);
    assert.deepEqual([one.chosen.frames.swapped, one.outcome.audio], [FRAMES, 'copied']);
    assert.equal(one.chosen.segments, 2);

    // Two processes in turns, and the last segment first.
    const processes = [0, 1].map(
      () =>
        new EngineProcess({ modelCacheDir: TEST_MODELS, currentSigner: () => BLANK_SIGNER, warmUp: false }),
    );
    context.after(() => Promise.all(processes.map((each) => each.close())));
    let turn = 0;
    const shared = await makeFilm(
      (job) => processes[turn++ % 2]!.run(job),
      target,
      'shared',
      (segments) => segments.toReversed(),
    );
    for (const [k, bytes] of one.files.entries()) assert.ok(bytes.equals(shared.files[k]!), `file ${k}`);

    const probe = await probeVideo(one.film);
    assert.deepEqual([probe.frameCount, probe.durationSeconds], [FRAMES, FRAMES / RATE]);
    const steps = await stepsOf(one.film);
    const seam = FRAMES / 2;
    const step = steps[seam - 1]!;
    const around = [...steps.slice(seam - 13, seam - 1), ...steps.slice(seam, seam + 12)];
    assert.ok(step <= Math.max(...around), `${step} of ${around}`);
  },
);

/** Two people side by side, who change places at a cut; nothing else moves. */
const [ADA, BEA] = await Promise.all([
  tileOf('ada', sharp(face)),
  tileOf('bea', sharp(body).extract({ left: 490, top: 5, width: 200, height: 200 })),
]);
const PAIR: ComposedClip = {
  width: 480,
  height: 240,
  frames: FRAMES,
  framesPerSecond: RATE,
  tiles: (frame) => {
    const [left, right] = frame < CUT_FRAME ? [ADA, BEA] : [BEA, ADA];
    return [
      { tile: left, x: 20, y: 20 },
      { tile: right, x: 260, y: 20 },
    ];
  },
};

async function tileOf(name: string, image: ReturnType<typeof sharp>): Promise<Tile> {
  const data = await image.resize(200, 200).removeAlpha().raw().toBuffer();
  return { name, data, width: 200, height: 200 };
}

/** Mean change of luma in the middle of each person's face, frame by frame. */
async function changesOf(before: string, after: string): Promise<{ ada: number; bea: number }[]> {
  const [plain, swapped] = await Promise.all([lumasOf(before), lumasOf(after)]);
  return swapped.map((luma, frame) => {
    const [left, right] = [20, 260].map((x) => {
      let sum = 0;
      for (let row = 80; row < 180; row++)
        for (let column = x + 60; column < x + 140; column++)
          sum += Math.abs(luma[row * PAIR.width + column]! - plain[frame]![row * PAIR.width + column]!);
      return sum / (100 * 80);
    });
    return frame < CUT_FRAME ? { ada: left!, bea: right! } : { ada: right!, bea: left! };
  });
}

test(
  'of a film of two people, the mapped one gets the face in every segment, across a cut, and each frame the marks',
  { skip },
  async () => {
    const target = inDir('pair.mp4');
    await composeClip(av!, target, PAIR);
    const onAda = { seconds: 1, box: { x: 0.1, y: 0.2, width: 0.3, height: 0.6 } };
    const mappings = [{ name: 'faceBox0', face: onAda }];
    const made = await makeFilm(runHere, target, 'pair', numbersInTurn, mappings, {
      label: true,
      watermark: WATERMARK,
    });
    assert.deepEqual(
      [made.chosen.frames.swapped, made.chosen.persons],
      [FRAMES, [{ framesSwapped: FRAMES, longestGapFrames: 0 }]],
    );
    const changes = await changesOf(target, made.film);
    assert.equal(changes.length, FRAMES);
    for (const [frame, { ada, bea }] of changes.entries())
      assert.ok(ada > 4 && bea < 2, `frame ${frame}: ${ada} and ${bea}`);
    const { width, height } = PAIR;
    for (const data of await lumasOf(made.film))
      assert.ok(labelLikeness({ data, stride: width, width, height }) > 0.97);
    assert.equal((await readWatermark(made.film, 'video/mp4'))?.id, WATERMARK);

    const nobody = { name: 'faceBox1', face: { personIndex: 2 } };
    await assert.rejects(makeFilm(runHere, target, 'nobody', numbersInTurn, [nobody]), {
      code: 'FACE_NOT_FOUND',
      message: 'faceBox1: the target video has no person with personIndex 2; it has 2.',
    });
  },
);

test('what another machine made is not believed', { skip }, async () => {
  const target = inDir('drifting.mp4');
  const wish = { targetPath: target, container: 'mp4', size: {}, segment: 0 } as const;
  const photo = {
    sources: [{ path: sourcePath }],
    maxPixels: 10_000_000,
    restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
  };
  const outputPath = inDir('nothing');
  for (const lie of ['', '{}', '[]', 'null', '\0\0\0\u0002{}', 'x'.repeat(1000)]) {
    const liar = inDir('liar');
    await writeFile(liar, lie);
    const jobs: EngineJob[] = [
      { kind: 'study-segment', ...wish, cutPath: liar, isApart: false, outputPath },
      { kind: 'choose-faces', cutPath: liar, studyPaths: [liar], outputPath },
      { kind: 'choose-faces', cutPath: inDir('one-cut'), studyPaths: [liar, liar], outputPath },
      { kind: 'draw-segment', ...wish, ...photo, planPath: liar, outputPath },
      { kind: 'join-film', ...wish, planPath: liar, segmentPaths: [], outputPath },
      { kind: 'join-film', ...wish, planPath: inDir('one-plan'), segmentPaths: [liar, liar], outputPath },
    ];
    for (const job of jobs) await assert.rejects(runHere(job), `${job.kind} believed ${lie.slice(0, 10)}`);
  }
});

/** Makes a film without a face that has a picture every nine seconds. */
async function emptyFilm(file: string, pictures: number): Promise<void> {
  await makeClip(av!, file, {
    container: 'mp4',
    width: 64,
    height: 64,
    ticks: numbers(pictures).map((k) => 9 * k),
    timeBase: { num: 1, den: 1 },
  });
}

const NO_FACE = { code: 'NO_FACE_DETECTED', message: 'No face was found in the target video.' };
const sources = [{ path: sourcePath }];
const cutJob = { kind: 'cut-film', maxPixels: 1e7, sources, outputPath: inDir('no-cut') } as const;

test('a film without a face is refused before it is studied, a long one afterwards', { skip }, async () => {
  const [short, long] = [inDir('empty.mp4'), inDir('long-empty.mp4')];
  await emptyFilm(short, 7);
  await assert.rejects(runHere({ ...cutJob, targetPath: short }), NO_FACE);
  await emptyFilm(long, 22);
  const { segments } = await runHere({ ...cutJob, targetPath: long });
  assert.ok(segments > 1);
  await assert.rejects(makeFilm(runHere, long, 'empty', numbersInTurn), NO_FACE);
});

test('a source without a face fails with its own message', { skip }, async () => {
  const blank = inDir('blank.png');
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#567' } }).toFile(blank);
  const targetPath = inDir('drifting.mp4');
  await assert.rejects(runHere({ ...cutJob, sources: [{ path: blank }], targetPath }), {
    code: 'NO_FACE_DETECTED',
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { MESH_VERTEX_COUNT } from '@guise/engine/face/face.ts';
import { CORE_SKIN } from '@guise/engine/mesh/face-regions.ts';
import type { MediaFrame } from '@guise/media/video/video-types.ts';
import { processVideo } from '@guise/media/video/process-video.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { fixture, skipWithoutFixtures } from '../scripts/fixtures.ts';
import { readRgb } from '../scripts/read-rgb.ts';

/**
 * `node launch.cjs bench/video-bench.ts [--quick]`: one JSON object. Speed beside a plain transcode with the same settings in the
 * same run (the machine's own measure), and how steady the result is beside the target itself. Needs the fixtures.
 */
const SPEED_CLIP = 'video/v02_ls_man_kitchen_hevc.mp4';
const STEADY_CLIPS = [
  'video/v01_ls_woman_outdoor_hevc.mp4',
  'video/v02_ls_man_kitchen_hevc.mp4',
  'video/v03_ls_man_gestures_hevc.mp4',
  'video/v20_two_faces_side_by_side_audio.mp4',
  'video/v24_phone_rotated90.mov',
];
const SOURCE = 'portraits/p15a_torres_studio.jpg';
const STRENGTH = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };

if (skipWithoutFixtures !== false) throw new Error(skipWithoutFixtures);
const isQuick = process.argv.includes('--quick');
const [onlySide, givenModels] = process.argv.includes('--speed') ? process.argv.slice(-2) : [];
const dir = await mkdtemp(path.join(tmpdir(), 'guise-video-bench-'));
const modelCacheDir = givenModels ?? path.join(dir, 'models');
try {
  const engine = await createEngine({ modelCacheDir });
  if (onlySide !== undefined) {
    process.stdout.write(JSON.stringify(await measureSpeed(engine, Number(onlySide))));
  } else {
    const speed = [];
    for (const shortSide of [720, 1080]) speed.push(await speedAlone(shortSide));
    const steadiness = [];
    for (const clip of isQuick ? STEADY_CLIPS.slice(3) : STEADY_CLIPS)
      steadiness.push(await measureSteadiness(engine, clip));
    const report = { cores: availableParallelism(), speed, steadiness };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  }
  await engine.close();
} finally {
  await rm(dir, { recursive: true, force: true });
}

/** In a process of its own, whose peak memory is one swap's. */
async function speedAlone(shortSide: number): Promise<unknown> {
  const args = [...process.execArgv, import.meta.filename, '--speed', String(shortSide), modelCacheDir];
  const env = { ...process.env, MALLOC_ARENA_MAX: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

/** An H.264 talking head with sound at this size: swapped twice (the second time warm), and only transcoded. */
async function measureSpeed(engine: Engine, shortSide: number): Promise<Record<string, number>> {
  const clip = path.join(dir, `talk-${shortSide}.mp4`);
  await processVideo({
    inputPath: fixture(SPEED_CLIP),
    outputPath: clip,
    container: 'mp4',
    maxShortSide: shortSide,
  });
  await swap(engine, clip, path.join(dir, 'cold.mp4'), shortSide);
  const plainSince = performance.now();
  const { frameCount } = await processVideo({
    inputPath: clip,
    outputPath: path.join(dir, 'plain.mp4'),
    container: 'mp4',
    maxShortSide: shortSide,
  });
  const plainMs = performance.now() - plainSince;
  const since = performance.now();
  const usedBefore = process.cpuUsage();
  const { timingsMs } = await swap(engine, clip, path.join(dir, 'warm.mp4'), shortSide);
  const swapMs = performance.now() - since;
  const { user, system } = process.cpuUsage(usedBefore);
  return {
    shortSide,
    framesPerSecond: rounded((1000 * frameCount) / swapMs, 1),
    plainTranscodeFramesPerSecond: rounded((1000 * frameCount) / plainMs, 1),
    trackMsPerFrame: rounded(timingsMs.look! / frameCount, 2),
    swapMsPerFrame: rounded(timingsMs.draw! / frameCount, 2),
    /** Of all threads: on a busy machine the honest measure. */
    cpuMsPerFrame: rounded((user + system) / 1000 / frameCount, 1),
    peakMebibytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

async function swap(engine: Engine, inputPath: string, outputPath: string, maxShortSide: number) {
  const source = await readRgb(fixture(SOURCE), { longest: 1200 });
  const run = await engine.openVideoSwap({ targetName: 'target video', source, ...STRENGTH });
  await scanVideo({ inputPath, maxShortSide, everySeconds: 0, onFrame: (frame) => run.look(frame) });
  run.choose();
  await processVideo({
    inputPath,
    outputPath,
    container: 'mp4',
    maxShortSide,
    onFrame: (frame) => run.draw(frame),
  });
  return run.receipt();
}

/** Landmarks and skin of one face in every frame of a clip. */
interface Trace {
  readonly landmarks: Float32Array[];
  /** Luma at the vertices of bare skin. */
  readonly skin: Float32Array[];
}

/** Mean second differences in time, result over target: 1 is as steady as the target itself. */
async function measureSteadiness(engine: Engine, name: string): Promise<Record<string, unknown>> {
  const shortSide = 720;
  const plain = path.join(dir, 'plain.mp4');
  const swapped = path.join(dir, 'swapped.mp4');
  const inputPath = fixture(name);
  // The target's own trace is read after the same encoder: its noise is not the swap's.
  await processVideo({ inputPath, outputPath: plain, container: 'mp4', maxShortSide: shortSide });
  const { frames, identitySimilarity } = await swap(engine, inputPath, swapped, shortSide);
  const own = await traceOf(engine, plain);
  const result = await traceOf(engine, swapped, own.landmarks[0]);
  return {
    clip: path.basename(name),
    jitterRatio: rounded(bend(result.landmarks) / bend(own.landmarks), 3),
    flickerRatio: rounded(bend(result.skin) / bend(own.skin), 3),
    frames,
    identitySimilarity: identitySimilarity === null ? null : rounded(identitySimilarity, 3),
  };
}

/** Follows the largest face, or the one at `start`. */
async function traceOf(engine: Engine, inputPath: string, start?: Float32Array): Promise<Trace> {
  const trace: Trace = { landmarks: [], skin: [] };
  let last = start;
  await scanVideo({
    inputPath,
    everySeconds: 0,
    onFrame: async (frame: MediaFrame) => {
      const image = frame.rgb({ x: 0, y: 0, width: frame.width, height: frame.height });
      last ??= (await engine.detect(image)).sort((a, b) => b.box.height - a.box.height)[0]?.landmarks;
      if (last === undefined) return;
      const { landmarks, score } = await engine.analyser.readMesh(image, last);
      if (score < 0.5) return;
      last = landmarks;
      trace.landmarks.push(
        landmarks.slice(0, MESH_VERTEX_COUNT * 3).map((value, i) => (i % 3 === 2 ? 0 : value)),
      );
      trace.skin.push(skinOf(frame, landmarks));
    },
  });
  return trace;
}

function skinOf(frame: MediaFrame, landmarks: Float32Array): Float32Array {
  const { data, stride, width, height } = frame.luma();
  return Float32Array.from(CORE_SKIN.flat(), (vertex) => {
    const x = Math.max(2, Math.min(width - 3, Math.round(landmarks[3 * vertex]!)));
    const y = Math.max(2, Math.min(height - 3, Math.round(landmarks[3 * vertex + 1]!)));
    let sum = 0;
    for (let dy = -2; dy <= 2; dy++)
      for (let dx = -2; dx <= 2; dx++) sum += data[(y + dy) * stride + x + dx]!;
    return sum / 25;
  });
}

/** Mean size of the second difference of every value over all triples of frames. */
function bend(values: readonly Float32Array[]): number {
  let sum = 0;
  let count = 0;
  for (let t = 1; t + 1 < values.length; t++) {
    for (let i = 0; i < values[t]!.length; i++) {
      sum += Math.abs(values[t + 1]![i]! - 2 * values[t]![i]! + values[t - 1]![i]!);
      count += 1;
    }
  }
  return sum / Math.max(1, count);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

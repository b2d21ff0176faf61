import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { FaceTracks } from '@guise/engine/face/face-tracks.ts';
import { MESH_VERTEX_COUNT } from '@guise/engine/face/face.ts';
import { recordMesh } from '@guise/engine/face/mesh-record.ts';
import { PersonTimeline } from '@guise/engine/face/person-timeline.ts';
import { findPersons } from '@guise/engine/face/persons.ts';
import { MeshSteadier } from '@guise/engine/face/steady-mesh.ts';
import { CORE_SKIN } from '@guise/engine/mesh/face-regions.ts';
import type { LumaPlane, MediaFrame } from '@guise/media/video/video-types.ts';
import { processVideo } from '@guise/media/video/process-video.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { fixture, skipWithoutFixtures } from '../scripts/fixtures.ts';
import { readRgb } from '../scripts/read-rgb.ts';

/**
 * `node launch.cjs bench/video-bench.ts [--quick] [--steady]`: one JSON object (`--steady`: without speed). Speed beside a plain transcode with the same settings in the
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
    for (const shortSide of process.argv.includes('--steady') ? [] : [720, 1080])
      speed.push(await speedAlone(shortSide));
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

/** Mean second differences in time, result over target: 1 is as steady as the target itself. */
async function measureSteadiness(engine: Engine, name: string): Promise<Record<string, unknown>> {
  const shortSide = 720;
  const plain = path.join(dir, 'plain.mp4');
  const swapped = path.join(dir, 'swapped.mp4');
  const inputPath = fixture(name);
  // The target's own trace is read after the same encoder: its noise is not the swap's.
  await processVideo({ inputPath, outputPath: plain, container: 'mp4', maxShortSide: shortSide });
  const { frames, identitySimilarity } = await swap(engine, inputPath, swapped, shortSide);
  const own = await readMeshes(engine, plain);
  const first = own.meshes.find((mesh) => mesh !== null) ?? undefined;
  const result = await readMeshes(engine, swapped, first);
  const followed = await followedMeshes(engine, plain, own.times);
  const ownSkin = await skinLuma(plain, [own.meshes, steadied(own), followed]);
  const skin = await skinLuma(swapped, [result.meshes, steadied(result), followed]);
  const flicker = (way: number): number => rounded(bend(skin[way]!) / bend(ownSkin[way]!), 3);
  return {
    clip: path.basename(name),
    jitterRatio: rounded(bend(flat(result.meshes)) / bend(flat(own.meshes)), 3),
    /** The reading's own tremble and whole pixels included: contrast that is only looked at unsteadily counts as flicker. */
    flickerAtReadPoints: flicker(0),
    /** The same points, steadied: what slides on the face is still seen. */
    flickerAtSteadiedPoints: flicker(1),
    /** Where the swap followed the face, in both: light and codec, blind to what slides. */
    flickerWhereFollowed: flicker(2),
    frames,
    identitySimilarity: identitySimilarity === null ? null : rounded(identitySimilarity, 3),
  };
}

type Meshes = readonly (Float32Array | null)[];

/** One face's landmarks in every frame of a clip. */
interface Reading {
  readonly times: number[];
  readonly meshes: (Float32Array | null)[];
}

/** Follows the largest face, or the one at `start`. */
async function readMeshes(engine: Engine, inputPath: string, start?: Float32Array): Promise<Reading> {
  const reading: Reading = { times: [], meshes: [] };
  let last = start;
  await scanVideo({
    inputPath,
    everySeconds: 0,
    onFrame: async (frame: MediaFrame) => {
      reading.times.push(frame.timeSeconds);
      const image = frame.rgb({ x: 0, y: 0, width: frame.width, height: frame.height });
      last ??= (await engine.detect(image)).sort((a, b) => b.box.height - a.box.height)[0]?.landmarks;
      const found = last && (await engine.analyser.readMesh(image, last));
      if (found === undefined || found.score < 0.5) {
        reading.meshes.push(null);
        return;
      }
      last = found.landmarks;
      reading.meshes.push(last.slice(0, MESH_VERTEX_COUNT * 3));
    },
  });
  return reading;
}

/** Without the reading's tremble. */
function steadied({ times, meshes }: Reading): Meshes {
  const steadier = new MeshSteadier();
  const records = meshes.map((mesh) => mesh && recordMesh(mesh));
  return records.map((record, index) => {
    if (record === null) return null;
    const out = new Float32Array(MESH_VERTEX_COUNT * 3);
    steadier.read((at) => records[at] ?? null, times, index, out);
    return out;
  });
}

/** The clip's main face, as a swap follows it. */
async function followedMeshes(engine: Engine, inputPath: string, times: readonly number[]): Promise<Meshes> {
  const tracks = new FaceTracks(engine.analyser);
  let width = 0;
  await scanVideo({
    inputPath,
    everySeconds: 0,
    onFrame: (frame) => {
      width = frame.width;
      return tracks.look(frame);
    },
  });
  const clip = tracks.finish();
  const [person] = findPersons(clip);
  if (person === undefined) throw new Error(`nobody in ${inputPath}`);
  const timeline = new PersonTimeline(clip, person);
  return times.map((time) => timeline.at(time, width)?.landmarks.slice() ?? null);
}

/** For each of several ways to place the points: luma at the vertices of bare skin in every frame that has them. */
async function skinLuma(inputPath: string, ways: readonly Meshes[]): Promise<Float32Array[][]> {
  const found: Float32Array[][] = ways.map(() => []);
  await scanVideo({
    inputPath,
    everySeconds: 0,
    onFrame: (frame) => {
      for (const [way, meshes] of ways.entries()) {
        const mesh = meshes[frame.index];
        if (mesh) found[way]!.push(skinOf(frame, mesh, way === 0));
      }
    },
  });
  return found;
}

/** Means of 5 x 5 pixels, between whole pixels or at the nearest. */
function skinOf(frame: MediaFrame, landmarks: Float32Array, isWhole: boolean): Float32Array {
  const plane = frame.luma();
  const { width, height } = plane;
  return Float32Array.from(CORE_SKIN.flat(), (vertex) => {
    const atX = landmarks[3 * vertex]!;
    const atY = landmarks[3 * vertex + 1]!;
    if (isWhole) return patchMean(plane, Math.round(atX), Math.round(atY));
    const x = Math.max(2, Math.min(width - 4, atX - 0.5));
    const y = Math.max(2, Math.min(height - 4, atY - 0.5));
    const left = Math.floor(x);
    const top = Math.floor(y);
    const mix = (row: number): number =>
      patchMean(plane, left, row) * (left + 1 - x) + patchMean(plane, left + 1, row) * (x - left);
    return mix(top) * (top + 1 - y) + mix(top + 1) * (y - top);
  });
}

function patchMean({ data, stride, width, height }: LumaPlane, atX: number, atY: number): number {
  const x = Math.max(2, Math.min(width - 3, atX));
  const y = Math.max(2, Math.min(height - 3, atY));
  let sum = 0;
  for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) sum += data[(y + dy) * stride + x + dx]!;
  return sum / 25;
}

/** The image's part of the meshes. */
function flat(meshes: Meshes): Float32Array[] {
  return meshes
    .filter((mesh) => mesh !== null)
    .map((mesh) => mesh.map((value, i) => (i % 3 === 2 ? 0 : value)));
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

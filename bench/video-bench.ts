/**
 * `node launch.cjs bench/video-bench.ts [--quick] [--steady]`: prints one JSON object. Needs the
 * fixtures. It contains the speed of a swap and of a plain transcode with the same settings in the
 * same run, which measures the machine; and the steadiness of the result compared with the target.
 * `--steady` does not measure speed.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { ALLOCATOR_SETTINGS } from '@guise/engine-host/parent/allocator-settings.ts';
import { fixture, skipWithoutFixtures } from '../scripts/fixtures.ts';
import { measureSteadiness } from './steadiness.ts';
import { swapClip } from './swap-clip.ts';

/** Clip whose swap is timed. */
const SPEED_CLIP = 'video/v02_ls_man_kitchen_hevc.mp4';

/** Clips for which steadiness is measured. */
const STEADY_CLIPS = [
  'video/v01_ls_woman_outdoor_hevc.mp4',
  'video/v02_ls_man_kitchen_hevc.mp4',
  'video/v03_ls_man_gestures_hevc.mp4',
  'video/v20_two_faces_side_by_side_audio.mp4',
  'video/v24_phone_rotated90.mov',
];

/** Source of all swaps except those with contrasty sources. */
const SOURCE = 'portraits/p15a_torres_studio.jpg';

/** Sources with more contrast than the target's skin, on which sliding is more visible. */
const CONTRASTY_SOURCES = ['portraits/p30_strenio_outdoor.jpg', 'portraits/p16_ponce_highkey.png'];

/** Clip in which sliding of contrasty sources is most visible. */
const CONTRASTY_CLIP = STEADY_CLIPS[4]!;

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
      steadiness.push(await measureSteadiness(engine, SOURCE, fixture(clip), dir));
    for (const source of isQuick ? [] : CONTRASTY_SOURCES)
      steadiness.push(await measureSteadiness(engine, source, fixture(CONTRASTY_CLIP), dir));
    const report = { cores: availableParallelism(), speed, steadiness };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  }
  await engine.close();
} finally {
  await rm(dir, { recursive: true, force: true });
}

/** Measures one size in a new process, so that its peak memory is that of one swap. */
async function speedAlone(shortSide: number): Promise<unknown> {
  const args = [...process.execArgv, import.meta.filename, '--speed', String(shortSide), modelCacheDir];
  const env = { ...process.env, ...ALLOCATOR_SETTINGS };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

/**
 * Measures a clip of a talking head with sound (H.264) at this size. It is swapped twice, the
 * second time with warm code, and then only transcoded.
 */
async function measureSpeed(engine: Engine, shortSide: number): Promise<Record<string, number>> {
  const clip = path.join(dir, `talk-${shortSide}.mp4`);
  await processVideo({
    inputPath: fixture(SPEED_CLIP),
    outputPath: clip,
    container: 'mp4',
    maxShortSide: shortSide,
  });
  await swapClip(engine, SOURCE, clip, path.join(dir, 'cold.mp4'), shortSide);
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
  const { timingsMs } = await swapClip(engine, SOURCE, clip, path.join(dir, 'warm.mp4'), shortSide);
  const swapMs = performance.now() - since;
  const { user, system } = process.cpuUsage(usedBefore);
  return {
    shortSide,
    framesPerSecond: rounded((1000 * frameCount) / swapMs, 1),
    plainTranscodeFramesPerSecond: rounded((1000 * frameCount) / plainMs, 1),
    trackMsPerFrame: rounded(timingsMs.look! / frameCount, 2),
    swapMsPerFrame: rounded(timingsMs.draw! / frameCount, 2),
    // CPU time of all threads, because elapsed time depends on the load of the machine.
    cpuMsPerFrame: rounded((user + system) / 1000 / frameCount, 1),
    peakMebibytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

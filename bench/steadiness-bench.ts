/**
 * `node launch.cjs bench/steadiness-bench.ts [--quick]`: prints one JSON object, the steadiness of
 * swaps of real clips compared with their targets. Needs the fixtures.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import { fixture, skipWithoutFixtures } from '../scripts/fixtures.ts';
import { measureSteadiness } from './steadiness.ts';

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
const dir = await mkdtemp(path.join(tmpdir(), 'guise-steadiness-'));
try {
  const engine = await createEngine({ modelCacheDir: path.join(dir, 'models') });
  const steadiness = [];
  for (const clip of isQuick ? STEADY_CLIPS.slice(3) : STEADY_CLIPS)
    steadiness.push(await measureSteadiness(engine, SOURCE, fixture(clip), dir));
  for (const source of isQuick ? [] : CONTRASTY_SOURCES)
    steadiness.push(await measureSteadiness(engine, source, fixture(CONTRASTY_CLIP), dir));
  process.stdout.write(`${JSON.stringify(steadiness, null, 2)}\n`);
  await engine.close();
} finally {
  await rm(dir, { recursive: true, force: true });
}

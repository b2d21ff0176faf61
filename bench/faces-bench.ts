/**
 * `node launch.cjs bench/faces-bench.ts`: measures the time of each step of face analysis on one
 * thread, and how many faces are found in the fixtures with groups and without faces.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFaceAnalyser } from '@guise/engine/face/detect/analyser.ts';
import { runBlazeface } from '@guise/engine/face/detect/blazeface.ts';
import { readMesh, refineIrises } from '@guise/engine/face/detect/landmarks.ts';
import { MESH_REGION_SCALE, regionOfMesh } from '@guise/engine/face/geometry/region.ts';
import { ensureModels } from '@guise/engine/models/ensure-models.ts';
import { openSessions } from '@guise/engine/models/sessions.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { fixture, skipWithoutFixtures } from '../scripts/fixtures.ts';
import { readRgb } from '../scripts/read-rgb.ts';

/**
 * Pictures and the number of faces that a person can recognise, counted by eye. In large halls, the
 * count may be wrong by one or two.
 */
const PICTURES = [
  { file: 'groups/g05_18f_team_55faces.jpg', faces: 46 },
  { file: 'groups/g08_videocall_grid_25.jpg', faces: 24 },
  { file: 'groups/g09_meeting_four.jpg', faces: 4 },
  { file: 'groups/g11_audience_eating.jpg', faces: 24 },
  { file: 'groups/g39_india_men.jpg', faces: 5 },
  { file: 'noface/n05_rocket.jpg', faces: 0 },
  { file: 'noface/n06_hubble.jpg', faces: 0 },
  { file: 'noface/n15_glacier_lake.jpg', faces: 0 },
  { file: 'noface/n16_eagle_puppets.jpg', faces: 0 },
];
const ROUNDS = 15;

const cacheDir = await mkdtemp(path.join(tmpdir(), 'guise-faces-bench-'));
let start = performance.now();
const files = await ensureModels(cacheDir);
report('convert all models', performance.now() - start);
start = performance.now();
await ensureModels(cacheDir);
report('verify all models', performance.now() - start);
start = performance.now();
const sessions = await openSessions(files);
report('open the networks', performance.now() - start);

const image = await readRgb((await readSampleFaces()).body);
const analyser = createFaceAnalyser(sessions);
const [face] = await analyser.detect(image);
const pyramid = new ImagePyramid(image);
for (const inputSide of [160, 256, 512, 1280]) {
  await time(`detector, longer side ${inputSide}`, () =>
    runBlazeface(sessions.blazeface, pyramid, { inputSide, quarterTurns: 0, threshold: 0.35 }),
  );
}
const region = regionOfMesh(face!.landmarks, MESH_REGION_SCALE);
await time('mesh, one reading', () => readMesh(sessions.faceLandmarks, pyramid, region));
await time('irises, both', () => refineIrises(sessions.iris, pyramid, face!.landmarks.slice()));
await time('identity, 128 numbers', () => analyser.embed(image, face!));
await time('detect, whole', () => analyser.detect(image));
await time('track, whole', () => analyser.track(image, face!));

if (skipWithoutFixtures) console.log(skipWithoutFixtures);
else {
  for (const { file, faces } of PICTURES) {
    const picture = await readRgb(fixture(file));
    start = performance.now();
    const found = await analyser.detect(picture);
    const ms = performance.now() - start;
    console.log(
      `${file.padEnd(36)} found ${String(found.length).padStart(2)} of ${faces}  ${ms.toFixed(0)} ms`,
    );
  }
}
console.log(`memory ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MiB`);
await sessions.close();
await rm(cacheDir, { recursive: true });

/** Prints the median of several rounds, on which other processes have little effect. */
async function time(step: string, run: () => Promise<unknown>): Promise<void> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now();
    await run();
    rounds.push(performance.now() - before);
  }
  report(step, rounds.sort((a, b) => a - b)[ROUNDS >> 1]!);
}

function report(step: string, ms: number): void {
  console.log(`${step.padEnd(28)} ${ms.toFixed(1).padStart(8)} ms`);
}

/**
 * `npm run bench:blocklist [-- --json]`: says how often the blocklist takes one person for another,
 * and how often it finds a person again. Needs the fixtures.
 */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { embeddingDistance } from '@guise/engine/face/detect/embedding-distance.ts';
import { createEngine, type Engine } from '@guise/engine/pipeline/engine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import sharp, { type Sharp } from 'sharp';
import { fixture, skipWithoutFixtures } from '../scripts/fixtures.ts';
import { readRgb } from '../scripts/read-rgb.ts';
import { round } from './report/figures.ts';

/** Folders with one person a photo. */
const FOLDERS = ['portraits', 'profile-pictures'];
/** Photos of the same person, without their endings: found by names, and looked at. */
const SAME_PERSON = [
  ['18f-christopher-goranson', 'pif-christopher-goranson'],
  ['18f-michael-balint', 'pif-michael-balint'],
  ['p54_mhz_rolled', 'pif-michelle-hertzfeld'],
  ['18f-raphy', 'pif-raphael-villas'],
  ['p15a_torres_studio', 'p15b_torres_desk'],
  ['18f-julia-winn', 'pif-julia-winn'],
  ['18f-garren', 'pif-garren-givens'],
  ['p41_tjones_older', 'pif-timothy-jones'],
  ['18f-alison', 'pif-alison-rowland'],
  ['18f-dmayercantu', 'pif-diego-mayer-cantu'],
] as const;
/** Clips with one person. */
const CLIPS = [
  'v01_ls_woman_outdoor_hevc.mp4',
  'v02_ls_man_kitchen_hevc.mp4',
  'v03_ls_man_gestures_hevc.mp4',
];
/** Every so many frames of a clip one is looked at. */
const FRAME_STEP = 25;
/** A frame is looked for among those that are so many looks away. */
const MIN_LOOKS_AWAY = 2;
/** Share of the smallest distances to which a tail is fitted. */
const TAIL = 0.005;
/** Number of samples of people from which the interval of the tail is taken. */
const RESAMPLES = 400;

/** What happens to a photo of a person. */
const CHANGES: Readonly<Record<string, (photo: Sharp, width: number, height: number) => Sharp>> = {
  mirrored: (photo) => photo.flop(),
  'JPEG q50': (photo) => photo.jpeg({ quality: 50 }),
  'half size, JPEG q70': (photo, width) => photo.resize(Math.round(width / 2)).jpeg({ quality: 70 }),
  'cropped to 80 %': (photo, width, height) =>
    photo.extract({
      left: Math.round(0.1 * width),
      top: Math.round(0.1 * height),
      width: Math.round(0.8 * width),
      height: Math.round(0.8 * height),
    }),
};

interface Known {
  readonly name: string;
  readonly embedding: Float32Array;
}

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
if (skipWithoutFixtures !== false) throw new Error(skipWithoutFixtures);
const threshold = loadConfig({}).blocklistDistance;
const modelCacheDir = await mkdtemp(path.join(tmpdir(), 'guise-blocklist-'));
const engine = await createEngine({ modelCacheDir });
try {
  const people: Known[] = [];
  const found = new Map<string, number[]>();
  const note = (name: string, distance: number): void => {
    found.set(name, [...(found.get(name) ?? []), distance]);
  };
  for (const file of FOLDERS.flatMap(filesOf)) {
    const photo = await sharp(file).autoOrient().flatten({ background: '#fff' }).png().toBuffer();
    const embedding = await embed(engine, await readRgb(photo));
    if (embedding === null) continue;
    people.push({ name: path.parse(file).name, embedding });
    const { width, height } = await sharp(photo).metadata();
    for (const [name, change] of Object.entries(CHANGES)) {
      const changed = await change(sharp(photo), width, height).toBuffer();
      const other = await embed(engine, await readRgb(changed));
      note(name, other === null ? Infinity : embeddingDistance(embedding, other));
    }
  }
  for (const clip of CLIPS) await compareFrames(engine, fixture(`video/${clip}`), note);
  const byName = new Map(people.map(({ name, embedding }) => [name, embedding]));
  for (const [a, b] of SAME_PERSON) note('another photo', embeddingDistance(byName.get(a)!, byName.get(b)!));
  const different = distancesOf(people);
  const report = {
    people: people.length,
    threshold,
    differentPairs: different.length,
    falseMatches: different.filter((distance) => distance <= threshold).length,
    nearestDifferent: round(Math.min(...different)),
    falseMatchesBelieved: tailOf(different),
    falseMatchesInterval: intervalOf(people),
    foundAgain: Object.fromEntries(
      [...found].map(([name, all]) => [
        name,
        { share: round(all.filter((distance) => distance <= threshold).length / all.length), of: all.length },
      ]),
    ),
  };
  if (values.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else console.dir(report, { depth: null });
} finally {
  await engine.close();
  await rm(modelCacheDir, { recursive: true, force: true });
}

function filesOf(folder: string): string[] {
  return readdirSync(fixture(folder))
    .filter((name) => /\.(jpe?g|png)$/.test(name))
    .map((name) => fixture(`${folder}/${name}`));
}

async function embed({ analyseSource }: Engine, image: RgbImage): Promise<Float32Array | null> {
  return (await analyseSource(image)).identity;
}

/** Looks for the face of each frame in the rest of its clip, as a worker does. */
async function compareFrames(
  engine: Engine,
  clip: string,
  note: (name: string, distance: number) => void,
): Promise<void> {
  const seen: (Float32Array | null)[] = [];
  await scanVideo(clip, async (frame) => {
    if (frame.index % FRAME_STEP !== 0) return;
    const { width, height } = frame;
    seen.push(await embed(engine, frame.rgb({ x: 0, y: 0, width, height })));
  });
  for (const [at, wanted] of seen.entries()) {
    const others = seen.filter((_, k) => Math.abs(k - at) >= MIN_LOOKS_AWAY);
    const distances = others.map((other) =>
      wanted === null || other === null ? Infinity : embeddingDistance(wanted, other),
    );
    note('a frame, in the rest of its clip', Math.min(...distances));
  }
}

/** Returns the distances of all pairs of different people. */
function distancesOf(people: readonly Known[]): number[] {
  const same = new Set(SAME_PERSON.map(([a, b]) => `${a} ${b}`));
  return people.flatMap((a, at) =>
    people
      .slice(at + 1)
      .filter(
        (b) => a.name !== b.name && !same.has(`${a.name} ${b.name}`) && !same.has(`${b.name} ${a.name}`),
      )
      .map((b) => embeddingDistance(a.embedding, b.embedding)),
  );
}

/**
 * Returns the probability that two different people are nearer than the threshold, by a generalised
 * Pareto distribution that is fitted to the smallest distances (Hosking and Wallis, 1987, by
 * moments).
 */
function tailOf(distances: readonly number[]): number {
  const sorted = distances.toSorted((a, b) => a - b);
  const count = Math.floor(TAIL * sorted.length);
  const edge = sorted[count]!;
  const below = sorted.slice(0, count).map((distance) => edge - distance);
  const mean = below.reduce((sum, value) => sum + value, 0) / count;
  const variance = below.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  const shape = (1 - mean ** 2 / variance) / 2;
  const scale = (mean * (mean ** 2 / variance + 1)) / 2;
  const base = 1 + (shape * (edge - threshold)) / scale;
  return base <= 0 ? 0 : TAIL * base ** (-1 / shape);
}

/** Returns the 95 % interval of the tail: people are drawn again with replacement (bootstrap). */
function intervalOf(people: readonly Known[]): readonly [number, number] {
  let state = 1;
  const random = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  const tails = Array.from({ length: RESAMPLES }, () =>
    tailOf(distancesOf(people.map(() => people[Math.floor(random() * people.length)]!))),
  ).sort((a, b) => a - b);
  return [tails[Math.floor(0.025 * RESAMPLES)]!, tails[Math.floor(0.975 * RESAMPLES)]!];
}

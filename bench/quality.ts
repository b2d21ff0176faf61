/**
 * Measures the quality of the mesh swapper over ordered pairs of the fixtures' portraits:
 *
 *   npm run bench:quality [-- --set all|core|core11] [--sources p01,p13] [--pairs]
 *       [--face-restore 1] [--restore 1] [--json FILE] [--save DIR]
 *   npm run bench:quality -- --only defects [--outputs DIR] [--pairs] [--json FILE]
 *
 * `core` contains all pairs of the clear portraits without p20, and `core11` those with p20. `all`,
 * the default, samples pairs of all portraits, adds turned faces on mirrored ones, and prints a
 * table by category. Identity is measured with the 128-d embedding, against the gallery of all
 * portraits. Pose, expression and boundary are in face-measures.ts, occluders in occluders.ts, and
 * the steadiness of videos in bench/steadiness-bench.ts. `--only defects` measures the defects that
 * people notice first (defects/), for pairs of bench:eye or for a folder of its outputs. Never save
 * swaps of the fixtures into the repository.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CanonicalFace, loadCanonicalFace } from '@guise/engine/face/geometry/canonical-face.ts';
import { embeddingDistance } from '@guise/engine/face/detect/embedding-distance.ts';
import { createEngine, type Engine } from '@guise/engine/pipeline/engine.ts';
import { skipWithoutFixtures } from '../scripts/fixtures.ts';
import { toSharp } from '../scripts/read-rgb.ts';
import { defectTable } from './defects/defect-table.ts';
import { measureDefects } from './defects/measure-defects.ts';
import { boundaryStep, expressionError, poseError } from './face-measures.ts';
import { occluderRetention } from './occluders.ts';
import { categoriesOf, CLEAR, MIRRORED, type Portrait, readMirrored, readPortraits } from './portraits.ts';
import { nearestFace } from './eye/face-window.ts';

interface Pair {
  readonly source: string;
  readonly target: string;
  readonly rank1: boolean;
  readonly nearest: string;
  readonly toSource: number;
  readonly toTarget: number;
  readonly pose: number;
  readonly expression: number;
  readonly boundary: number;
  /** Share of the occluder that is kept; null if no occluder is marked. */
  readonly retention: number | null;
  readonly timingsMs: Record<string, number>;
}

/**
 * Number of clear faces that `all` swaps onto each portrait that is not clear, and number of clear
 * targets onto which it swaps the face of that portrait.
 */
const SAMPLED = 5;

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'all' },
    json: { type: 'string' },
    save: { type: 'string' },
    'face-restore': { type: 'string', default: '1' },
    restore: { type: 'string', default: '1' },
    pairs: { type: 'boolean', default: false },
    sources: { type: 'string' },
    only: { type: 'string' },
    outputs: { type: 'string' },
    models: { type: 'string', default: path.join(os.tmpdir(), 'guise-bench-models') },
  },
});

if (skipWithoutFixtures) {
  console.log(`No quality figures: ${skipWithoutFixtures}.`);
} else if (values.only === undefined) {
  await measure();
} else if (values.only === 'defects') {
  await reportDefects();
} else {
  throw new Error('--only must be "defects".');
}

/**
 * Prints the table of defects. With `--pairs`, also prints the figures of all pairs, worst first.
 */
async function reportDefects(): Promise<void> {
  const engine = await createEngine({ modelCacheDir: values.models });
  const measured = await measureDefects(engine, values.outputs ?? null);
  await engine.close();
  console.log(defectTable(measured));
  for (const { name, figures } of values.pairs ? measured : []) {
    const worstFirst = figures.toSorted((a, b) => b.value - a.value);
    console.log(`${name}: ${worstFirst.map(({ pair, value }) => `${pair} ${value.toFixed(2)}`).join(', ')}`);
  }
  if (values.json) await writeFile(values.json, JSON.stringify(measured, null, 1));
}

async function measure(): Promise<void> {
  const engine = await createEngine({ modelCacheDir: values.models });
  const canonical = await loadCanonicalFace();
  const gallery = await readPortraits(engine);
  if (values.save) await mkdir(values.save, { recursive: true });
  const wanted = values.sources?.split(',');
  const pairs: Pair[] = [];
  const lost: string[] = [];
  const mirrored = values.set === 'all' ? await readMirrored(engine, gallery) : [];
  for (const [source, target] of [...chosenPairs(gallery), ...oppositePairs(gallery, mirrored)]) {
    if (wanted && !wanted.includes(source.name)) continue;
    const pair = await swapPair(engine, canonical, gallery, source, target);
    if (pair === null) lost.push(`${source.name}>${target.name}`);
    else pairs.push(pair);
  }
  await engine.close();
  report(pairs, lost, gallery);
  if (values.json) {
    const figures = { set: values.set, lost, summary: summarise(pairs), pairs };
    await writeFile(values.json, JSON.stringify(figures, null, 1));
  }
}

function chosenPairs(gallery: readonly Portrait[]): [Portrait, Portrait][] {
  const clear = gallery.filter(
    ({ name }) => CLEAR.includes(name) && (values.set !== 'core' || name !== 'p20'),
  );
  const pairs = clear.flatMap((source) =>
    clear.filter((target) => target !== source).map((target): [Portrait, Portrait] => [source, target]),
  );
  if (values.set !== 'all') return pairs;
  const others = gallery.filter(({ name }) => !CLEAR.includes(name));
  for (const [at, other] of others.entries()) {
    for (let k = 0; k < SAMPLED; k++) {
      // They are spread evenly over the clear faces, and differ between portraits.
      const one = clear[(at + Math.floor((k * clear.length) / SAMPLED)) % clear.length]!;
      pairs.push([one, other], [other, one]);
    }
  }
  return pairs;
}

/** Makes pairs of faces that are turned in opposite directions. */
function oppositePairs(gallery: readonly Portrait[], mirrored: readonly Portrait[]): [Portrait, Portrait][] {
  return mirrored.flatMap((target) =>
    gallery
      .filter(({ name }) => mirrored.some((other) => other.name.endsWith(name) && other !== target))
      .map((source): [Portrait, Portrait] => [source, target]),
  );
}

/** Swaps a pair and measures it; null if no face is found in the result. */
async function swapPair(
  engine: Engine,
  canonical: CanonicalFace,
  gallery: readonly Portrait[],
  source: Portrait,
  target: Portrait,
): Promise<Pair | null> {
  const faces = await engine.detect(target.image);
  const faceIndex = faces.indexOf(nearestFace(faces, target.face)!);
  const { image, timingsMs } = await engine.swapImage({
    source: source.image,
    target: target.image,
    targetFaces: faces,
    faceIndex,
    restore: {
      faceRestoreVisibility: Number(values['face-restore']),
      restoreVisibility: Number(values.restore),
    },
  });
  if (values.save) {
    const file = path.join(values.save, `${source.name}-${target.name}.png`);
    await toSharp(image).png().toFile(file);
  }
  const face = nearestFace(await engine.detect(image), target.face);
  if (!face) return null;
  const embedding = await engine.analyser.embed(image, face);
  const ranked = gallery
    .map((p) => ({ name: p.name, distance: embeddingDistance(p.embedding, embedding) }))
    .sort((a, b) => a.distance - b.distance);
  return {
    source: source.name,
    target: target.name,
    rank1: ranked[0]!.name === source.name,
    nearest: ranked[0]!.name,
    toSource: embeddingDistance(source.embedding, embedding),
    toTarget: embeddingDistance(target.embedding, embedding),
    pose: poseError(face, target.face, canonical),
    expression: expressionError(face, target.face),
    boundary: boundaryStep(image, target.face) / boundaryStep(target.image, target.face),
    retention: occluderRetention(target.name, target.face, target.image, image),
    timingsMs,
  };
}

/** Returns the mean, or NaN if nothing was measured. */
function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

function summarise(pairs: readonly Pair[]): Record<string, number> {
  const kept = pairs.flatMap(({ retention }) => retention ?? []);
  return {
    pairs: pairs.length,
    rank1Percent: 100 * mean(pairs.map((p) => (p.rank1 ? 1 : 0))),
    toSource: mean(pairs.map((p) => p.toSource)),
    toTarget: mean(pairs.map((p) => p.toTarget)),
    poseDegrees: mean(pairs.map((p) => p.pose)),
    expression: mean(pairs.map((p) => p.expression)),
    boundary: mean(pairs.map((p) => p.boundary)),
    occludersKeptPercent: 100 * mean(kept),
  };
}

function report(pairs: readonly Pair[], lost: readonly string[], gallery: readonly Portrait[]): void {
  const head = ['category', 'pairs', 'rank-1', 'to source', 'to target', 'pose', 'expression', 'boundary'];
  head.push('occluder kept');
  console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
  const line = (name: string, some: readonly Pair[]): void => {
    if (some.length === 0) return;
    const s = summarise(some);
    const kept = Number.isNaN(s.occludersKeptPercent) ? '' : `${s.occludersKeptPercent!.toFixed(0)} %`;
    console.log(
      `| ${name} | ${s.pairs} | ${s.rank1Percent!.toFixed(1)} % | ${s.toSource!.toFixed(3)} | ${s.toTarget!.toFixed(3)} | ${s.poseDegrees!.toFixed(2)} | ${s.expression!.toFixed(4)} | ${s.boundary!.toFixed(2)} | ${kept} |`,
    );
  };
  if (values.set !== 'all') line('all measured', pairs);
  else {
    const isMirrored = ({ target }: Pair): boolean => target.startsWith(MIRRORED);
    const isClear = ({ source, target }: Pair): boolean => CLEAR.includes(source) && CLEAR.includes(target);
    const asTheyAre = pairs.filter((pair) => !isMirrored(pair));
    line('clear on clear', pairs.filter(isClear));
    line('turned opposite', pairs.filter(isMirrored));
    for (const [name, members] of Object.entries(categoriesOf(gallery))) {
      line(
        `onto ${name}`,
        asTheyAre.filter(({ target }) => members.includes(target)),
      );
      line(
        `${name} as source`,
        asTheyAre.filter(({ source }) => members.includes(source)),
      );
    }
  }
  const stages = new Set(pairs.flatMap((p) => Object.keys(p.timingsMs)));
  for (const stage of stages) {
    const sorted = pairs.map((p) => p.timingsMs[stage] ?? 0).sort((a, b) => a - b);
    console.log(
      `${stage}: p50 ${sorted[sorted.length >> 1]!.toFixed(1)} ms, p95 ${sorted[Math.floor(sorted.length * 0.95)]!.toFixed(1)} ms`,
    );
  }
  if (lost.length > 0) console.log(`no face found again: ${lost.join(' ')}`);
  for (const p of pairs) {
    if (!values.pairs && p.rank1) continue;
    const kept = p.retention === null ? '' : ` kept ${(100 * p.retention).toFixed(0)} %`;
    console.log(
      `${p.source}>${p.target} ${p.rank1 ? 'ok' : `NEAREST ${p.nearest}`} ${p.toSource.toFixed(3)} ${p.toTarget.toFixed(3)} pose ${p.pose.toFixed(1)} expr ${p.expression.toFixed(3)} edge ${p.boundary.toFixed(2)}${kept}`,
    );
  }
}

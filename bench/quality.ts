/**
 * Quality of the mesh swapper over ordered pairs of the fixtures' portraits:
 *
 *   node launch.cjs bench/quality.ts [--set core|core11|all] [--json FILE] [--save DIR] [--pairs] [--face-restore 1] [--restore 1] [--sources p01,p13]
 *
 * Identity is judged by the 128-d embedding against the gallery of all portraits with a face; see face-measures.ts for
 * pose, expression and boundary. Never save swaps of the fixtures into the repository.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadCanonicalFace } from '../packages/engine/src/face/canonical-face.ts';
import type { Face } from '../packages/engine/src/face/face.ts';
import { createEngine } from '../packages/engine/src/pipeline/engine.ts';
import { embeddingDistance } from '../packages/engine/src/face/embedding-distance.ts';
import type { RgbImage } from '../packages/kernels/src/image.ts';
import { fixture, skipWithoutFixtures } from '../scripts/fixtures.ts';
import { boundaryStep, expressionError, poseError } from './face-measures.ts';
import { readRgb, toSharp } from '../scripts/read-rgb.ts';

// Issue 2's portraits; `core` leaves out p20, whose glasses stay in front of every face it is given.
const CORE = ['p01', 'p13', 'p14', 'p15a', 'p16', 'p20', 'p21', 'p30', 'p43', 'p44', 'p63'];
const CATEGORIES: Record<string, readonly string[]> = {
  'clear portraits': CORE,
  'three-quarter': ['p18', 'p19', 'p22', 'p30'],
  glasses: ['p18', 'p20', 'p25', 'p34', 'p60'],
  beard: ['p19', 'p34', 'p20'],
  'dark skin': ['p14', 'p18', 'p21'],
  occluded: ['p22', 'p33', 'p53'],
  'low-res': ['p43', 'p44', 'p54', 'p60', 'p63'],
  'black-and-white': ['p25'],
  rolled: ['p54', 'p21'],
};

interface Portrait {
  readonly name: string;
  readonly image: RgbImage;
  readonly face: Face;
  readonly embedding: Float32Array;
}

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
  readonly timingsMs: Record<string, number>;
}

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'core' },
    json: { type: 'string' },
    save: { type: 'string' },
    'face-restore': { type: 'string', default: '1' },
    restore: { type: 'string', default: '1' },
    pairs: { type: 'boolean', default: false },
    sources: { type: 'string' },
    models: { type: 'string', default: path.join(os.tmpdir(), 'guise-bench-models') },
  },
});

if (skipWithoutFixtures) {
  console.log(`No quality figures: ${skipWithoutFixtures}.`);
} else {
  await measure();
}

async function measure(): Promise<void> {
  const engine = await createEngine({ modelCacheDir: values.models });
  const canonical = await loadCanonicalFace();
  const files = (await readdir(fixture('portraits'))).sort();
  const gallery: Portrait[] = [];
  for (const file of files) {
    // The same person again would be a right answer counted as wrong.
    if (file.startsWith('p15b')) continue;
    const image = await readRgb(fixture(`portraits/${file}`), { longest: 1200 });
    const faces = await engine.detect(image);
    const face = faces.sort((a, b) => b.box.width - a.box.width)[0];
    if (!face) continue;
    gallery.push({
      name: file.split('_')[0]!,
      image,
      face,
      embedding: await engine.analyser.embed(image, face),
    });
  }
  const names =
    values.set === 'all'
      ? gallery.map((p) => p.name)
      : values.set === 'core11'
        ? CORE
        : CORE.filter((n) => n !== 'p20');
  const chosen = gallery.filter((p) => names.includes(p.name));
  const wanted = values.sources?.split(',');
  if (values.save) await mkdir(values.save, { recursive: true });

  const pairs: Pair[] = [];
  const lost: string[] = [];
  for (const source of chosen) {
    if (wanted && !wanted.includes(source.name)) continue;
    for (const target of chosen) {
      if (source === target) continue;
      const result = await engine.swapImage({
        source: source.image,
        target: target.image,
        faceRestoreVisibility: Number(values['face-restore']),
        restoreVisibility: Number(values.restore),
      });
      if (values.save)
        await toSharp(result.image)
          .png()
          .toFile(path.join(values.save, `${source.name}-${target.name}.png`));
      const face = nearestFace(await engine.detect(result.image), target.face);
      if (!face) {
        lost.push(`${source.name}>${target.name}`);
        continue;
      }
      const embedding = await engine.analyser.embed(result.image, face);
      const ranked = gallery
        .map((p) => ({ name: p.name, distance: embeddingDistance(p.embedding, embedding) }))
        .sort((a, b) => a.distance - b.distance);
      pairs.push({
        source: source.name,
        target: target.name,
        rank1: ranked[0]!.name === source.name,
        nearest: ranked[0]!.name,
        toSource: embeddingDistance(source.embedding, embedding),
        toTarget: embeddingDistance(target.embedding, embedding),
        pose: poseError(face, target.face, canonical),
        expression: expressionError(face, target.face),
        boundary: boundaryStep(result.image, target.face) / boundaryStep(target.image, target.face),
        timingsMs: result.timingsMs,
      });
    }
  }
  await engine.close();
  report(pairs, lost);
  if (values.json)
    await writeFile(
      values.json,
      JSON.stringify({ set: values.set, lost, summary: summarise(pairs), pairs }, null, 1),
    );
}

function nearestFace(faces: readonly Face[], to: Face): Face | undefined {
  const away = (f: Face): number =>
    Math.hypot(
      f.box.x + f.box.width / 2 - to.box.x - to.box.width / 2,
      f.box.y + f.box.height / 2 - to.box.y - to.box.height / 2,
    );
  const nearest = [...faces].sort((a, b) => away(a) - away(b))[0];
  return nearest && away(nearest) < to.box.width / 2 ? nearest : undefined;
}

function summarise(pairs: readonly Pair[]): Record<string, number> {
  const mean = (of: (pair: Pair) => number): number =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  return {
    pairs: pairs.length,
    rank1Percent: 100 * mean((p) => (p.rank1 ? 1 : 0)),
    toSource: mean((p) => p.toSource),
    toTarget: mean((p) => p.toTarget),
    poseDegrees: mean((p) => p.pose),
    expression: mean((p) => p.expression),
    boundary: mean((p) => p.boundary),
  };
}

function report(pairs: readonly Pair[], lost: readonly string[]): void {
  const head = ['category', 'pairs', 'rank-1', 'to source', 'to target', 'pose', 'expression', 'boundary'];
  console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
  const line = (name: string, some: readonly Pair[]): void => {
    if (some.length === 0) return;
    const s = summarise(some);
    console.log(
      `| ${name} | ${s.pairs} | ${s.rank1Percent!.toFixed(1)} % | ${s.toSource!.toFixed(3)} | ${s.toTarget!.toFixed(3)} | ${s.poseDegrees!.toFixed(2)} | ${s.expression!.toFixed(4)} | ${s.boundary!.toFixed(2)} |`,
    );
  };
  line('all measured', pairs);
  if (values.set === 'all') {
    for (const [name, members] of Object.entries(CATEGORIES)) {
      line(
        `target ${name}`,
        pairs.filter((p) => members.includes(p.target)),
      );
      line(
        `source ${name}`,
        pairs.filter((p) => members.includes(p.source)),
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
  if (values.pairs) {
    for (const p of pairs) {
      console.log(
        `${p.source}>${p.target} ${p.rank1 ? 'ok' : `NEAREST ${p.nearest}`} ${p.toSource.toFixed(3)} ${p.toTarget.toFixed(3)} pose ${p.pose.toFixed(1)} expr ${p.expression.toFixed(3)} edge ${p.boundary.toFixed(2)}`,
      );
    }
  } else {
    for (const p of pairs)
      if (!p.rank1)
        console.log(`missed: ${p.source}>${p.target} looks like ${p.nearest}, ${p.toSource.toFixed(3)}`);
  }
}

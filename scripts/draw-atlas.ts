/**
 * Draws the figure of the atlas for packages/engine/src/mesh/README.md from the canonical face
 * itself: `node launch.cjs scripts/draw-atlas.ts`. Run it again after a change of
 * `face-regions.ts`.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadCanonicalFace } from '@guise/engine/face/geometry/canonical-face.ts';
import * as regions from '@guise/engine/mesh/uv/face-regions.ts';

const FILE = path.resolve(import.meta.dirname, '../packages/engine/src/mesh/atlas.svg');
const SIDE_PX = 400;
const MARGIN_PX = 60;

const { uv } = await loadCanonicalFace();

function ring(vertices: readonly number[], fill: string): string {
  const points = vertices.map((v) => `${px(uv[2 * v]!)},${px(uv[2 * v + 1]!)}`);
  return `<polygon points="${points.join(' ')}" fill="${fill}" stroke="#567" stroke-width="0.8"/>`;
}

function label(u: number, v: number, text: string): string {
  return `<text x="${px(u)}" y="${px(v)}" text-anchor="middle">${text}</text>`;
}

function px(sides: number): string {
  return (MARGIN_PX + sides * SIDE_PX).toFixed(1);
}

/** Heights and distances in sides of the atlas, along its left and lower edge. */
function scale(): string[] {
  return [0, 0.25, 0.5, 0.75, 1].flatMap((at) => [
    label(-0.06, at + 0.01, `${at}`),
    label(at, 1.05, `${at}`),
  ]);
}

const width = SIDE_PX + 2 * MARGIN_PX;
const lines = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}" font-family="sans-serif" font-size="11" fill="#234">`,
  `<rect width="${width}" height="${width}" fill="#fff"/>`,
  `<rect x="${MARGIN_PX}" y="${MARGIN_PX}" width="${SIDE_PX}" height="${SIDE_PX}" fill="#f4f6f8" stroke="#567"/>`,
  ring(regions.FACE_OVAL, '#fbe9d9'),
  ...regions.CORE_SKIN.map((vertices) => ring(vertices, '#f3cfae')),
  ...[regions.RIGHT_BROW, regions.LEFT_BROW].map((vertices) => ring(vertices, '#b89a7f')),
  ...[regions.RIGHT_LIDS, regions.LEFT_LIDS].map((vertices) => ring(vertices, '#e3c3c9')),
  ...[regions.RIGHT_EYE, regions.LEFT_EYE].map((vertices) => ring(vertices, '#fff')),
  ring(regions.OUTER_LIPS, '#d99a9a'),
  ring(regions.INNER_LIPS, '#fff'),
  `<line x1="${px(0.5)}" y1="${px(0)}" x2="${px(0.5)}" y2="${px(1)}" stroke="#567" stroke-dasharray="3 4"/>`,
  label(0.5, 0.165, 'hair zone'),
  label(0.3, 0.235, 'brow'),
  label(0.7, 0.235, 'brow'),
  label(0.3, 0.445, 'eye, lids'),
  label(0.7, 0.445, 'eye, lids'),
  label(0.3, 0.63, 'core'),
  label(0.7, 0.63, 'core'),
  label(0.5, 0.53, 'core'),
  label(0.5, 0.8, 'beard zone'),
  label(0.5, -0.04, 'midline'),
  ...scale(),
  '</svg>',
];
await writeFile(FILE, `${lines.join('\n')}\n`);

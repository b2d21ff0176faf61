/**
 * Draws a grid of swaps: a row for each source, a column for each target.
 *
 *   npm run sheet -- SOURCE_DIR TARGET_DIR -o sheet.png
 *       [--cell 300] [--match p01,p13] [--face-restore 1] [--restore 1]
 *   npm run sheet -- --category glasses -o sheet.png
 *
 * `--category` swaps clear faces of the fixtures onto the portraits of that category
 * (portraits.ts). Cells show the target's face and its surroundings. Do not commit sheets of real
 * people.
 */
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { OverlayOptions } from 'sharp';
import { TaskFailure } from '@guise/contract/errors.ts';
import type { Face } from '@guise/engine/face/geometry/face.ts';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { skipWithoutFixtures } from '../scripts/fixtures.ts';
import { readRgb, toSharp } from '../scripts/read-rgb.ts';
import { categoriesOf, readPortraits } from './portraits.ts';

/** Portraits of women and men with light and dark skin. */
const FACES = ['p13', 'p14', 'p15a', 'p43'];
const LABEL_PX = 22;
/** Side of the part of the picture that a cell shows, as a multiple of the face box. */
const SURROUNDINGS = 1.7;
const READABLE = /\.(jpe?g|png|webp|gif|avif)$/i;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', short: 'o', default: 'sheet.png' },
    cell: { type: 'string', default: '300' },
    match: { type: 'string' },
    category: { type: 'string' },
    sources: { type: 'string' },
    targets: { type: 'string' },
    'face-restore': { type: 'string', default: '1' },
    restore: { type: 'string', default: '1' },
    models: { type: 'string', default: path.join(os.tmpdir(), 'guise-bench-models') },
  },
});
const [sourceDir, targetDir] = positionals;
if (values.category === undefined && (!sourceDir || !targetDir)) {
  console.error('usage: npm run sheet -- SOURCE_DIR TARGET_DIR -o sheet.png');
  console.error('       npm run sheet -- --category CATEGORY -o sheet.png');
  process.exit(2);
}
const cell = Number(values.cell);
const engine = await createEngine({ modelCacheDir: values.models });
const { sources, targets } =
  values.category === undefined
    ? {
        sources: await portraits(sourceDir!, values.sources ?? values.match),
        targets: await portraits(targetDir!, values.targets ?? values.match),
      }
    : await ofCategory(values.category);

const width = (targets.length + 1) * cell;
const height = (sources.length + 1) * (cell + LABEL_PX);
const tiles: OverlayOptions[] = [];
for (const [column, target] of targets.entries()) {
  tiles.push(...(await tile(column + 1, 0, target.image, target.face, `target ${target.name}`)));
}
for (const [row, source] of sources.entries()) {
  tiles.push(...(await tile(0, row + 1, source.image, source.face, `source ${source.name}`)));
  for (const [column, target] of targets.entries()) {
    const label = `${source.name} > ${target.name}`;
    try {
      const { image } = await engine.swapImage({
        source: source.image,
        target: target.image,
        restore: {
          faceRestoreVisibility: Number(values['face-restore']),
          restoreVisibility: Number(values.restore),
        },
      });
      tiles.push(...(await tile(column + 1, row + 1, image, target.face, label)));
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
      tiles.push(
        ...(await tile(column + 1, row + 1, target.image, target.face, `${label}: ${error.message}`)),
      );
    }
  }
}
await sharp({ create: { width, height, channels: 3, background: '#222' } })
  .composite(tiles)
  .png()
  .toFile(values.output);
await engine.close();

interface Shown {
  readonly name: string;
  readonly image: RgbImage;
  readonly face: Face;
}

/** Returns four clear faces as sources, and the category's faces as targets. */
async function ofCategory(category: string): Promise<{ sources: Shown[]; targets: Shown[] }> {
  if (skipWithoutFixtures) throw new Error(`No sheet of a category: ${skipWithoutFixtures}.`);
  const gallery = await readPortraits(engine);
  const categories = categoriesOf(gallery);
  const members = categories[category];
  if (!members) throw new Error(`The categories are ${Object.keys(categories).join(', ')}.`);
  const named = (names: readonly string[]): Shown[] => gallery.filter(({ name }) => names.includes(name));
  return { sources: named(values.sources?.split(',') ?? FACES), targets: named(members) };
}

async function portraits(dir: string, match: string | undefined): Promise<Shown[]> {
  const wanted = match?.split(',');
  const found = [];
  for (const file of (await readdir(dir)).sort()) {
    const name = file.replace(/\..*$/, '').split('_')[0]!;
    if (!READABLE.test(file) || (wanted && !wanted.includes(name))) continue;
    const image = await readRgb(path.join(dir, file), { longest: 1200 });
    const face = (await engine.detect(image)).sort((a, b) => b.box.width - a.box.width)[0];
    if (face) found.push({ name, image, face });
    else console.error(`${file}: no face found, left out`);
  }
  return found;
}

async function tile(
  column: number,
  row: number,
  image: RgbImage,
  face: Face,
  label: string,
): Promise<OverlayOptions[]> {
  const side = Math.min(Math.max(face.box.width, face.box.height) * SURROUNDINGS, image.width, image.height);
  const left = Math.round(
    Math.max(0, Math.min(image.width - side, face.box.x + face.box.width / 2 - side / 2)),
  );
  const top = Math.round(
    Math.max(0, Math.min(image.height - side, face.box.y + face.box.height / 2 - side / 2)),
  );
  const picture = await toSharp(image)
    .extract({ left, top, width: Math.floor(side), height: Math.floor(side) })
    .resize(cell, cell, { fit: 'fill' })
    .png()
    .toBuffer();
  const escaped = label.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const text = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${cell}" height="${LABEL_PX}"><text x="4" y="16" font-size="14" font-family="sans-serif" fill="#fff">${escaped}</text></svg>`,
  );
  const y = row * (cell + LABEL_PX);
  return [
    { input: text, left: column * cell, top: y },
    { input: picture, left: column * cell, top: y + LABEL_PX },
  ];
}

/**
 * `npm run bench:watermark [-- --json --parts N]`: marks pictures of the fixtures, changes them as
 * happens on the way through the net, and counts the marks that are read back exactly. Needs the
 * fixtures.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findWatermark } from '@guise/media/watermark/find-watermark.ts';
import { addWatermark } from '@guise/media/watermark/add-watermark.ts';
import type { SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { Sharp } from 'sharp';
import { fixture, skipWithoutFixtures } from '../scripts/fixtures.ts';
import { readRgb, toSharp } from '../scripts/read-rgb.ts';
import { round } from './report/figures.ts';

/** Folders whose pictures are marked. */
const FOLDERS = ['portraits', 'groups', 'noface', 'profile-pictures'];
/** Smallest shorter side of a marked picture, pixels. */
const MIN_SIDE = 640;
/** Largest longer side, which bounds the time of the bench. */
const MAX_SIDE = 3300;
/** Smallest shorter side, pixels, of a picture that counts when its size is 25 %. */
const MIN_SIDE_FOR_QUARTER = 1280;
/** Default number of parts of each picture in which nothing must be found. */
const UNMARKED_PARTS = '150';

type Change = (image: Sharp, size: RgbImage) => Sharp;

/** Makes a picture a quarter of its size. */
const QUARTER: Change = (image, { width }) => image.resize(Math.round(width / 4)).png();

/** What happens to a picture. */
const CHANGES: Readonly<Record<string, Change>> = {
  'as it is': (image) => image.png(),
  'JPEG q75': (image) => image.jpeg({ quality: 75 }),
  'JPEG q50': (image) => image.jpeg({ quality: 50 }),
  'JPEG q30': (image) => image.jpeg({ quality: 30 }),
  'WebP q50': (image) => image.webp({ quality: 50 }),
  '50 % size': (image, { width }) => image.resize(Math.round(width / 2)).png(),
  '50 % size, JPEG q50': (image, { width }) => image.resize(Math.round(width / 2)).jpeg({ quality: 50 }),
  '25 % size': QUARTER,
  'light +10 %': (image) => image.linear(1.1, 0).png(),
  'light -10 %': (image) => image.linear(0.9, 0).png(),
  'gamma 1.3': (image) => image.gamma(1.3, 1).png(),
  'cropped to 60 %': (image, size) => cropped(image, size).png(),
  'cropped to 60 %, JPEG q75': (image, size) => cropped(image, size).jpeg({ quality: 75 }),
};

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** Fewer take less time: each is searched in all places. */
    parts: { type: 'string', default: UNMARKED_PARTS },
  },
});
if (skipWithoutFixtures !== false) throw new Error(skipWithoutFixtures);
const readBack = new Map(Object.keys(CHANGES).map((name) => [name, { found: 0, of: 0 }]));
const decibels: number[] = [];
let pictures = 0;
let unmarked = 0;
let falseFinds = 0;
let random = 1;
const nextRandom = (): number => (random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
for (const file of listPictures()) {
  const picture = await readRgb(file);
  const shorter = Math.min(picture.width, picture.height);
  if (shorter < MIN_SIDE || Math.max(picture.width, picture.height) > MAX_SIDE) continue;
  pictures += 1;
  for (let part = 0; part < Number(values.parts); part++) {
    unmarked += 1;
    if (findWatermark(partOf(samplesOf(picture))) !== null) falseFinds += 1;
  }
  const id = Uint8Array.from({ length: 6 }, () => Math.floor(256 * nextRandom()));
  const marked = markedCopy(picture, id);
  decibels.push(psnr(picture, marked));
  const misses: string[] = [];
  for (const [name, change] of Object.entries(CHANGES)) {
    if (change === QUARTER && shorter < MIN_SIDE_FOR_QUARTER) continue;
    const changed = await change(toSharp(marked), picture).toBuffer();
    const found = findWatermark(samplesOf(await readRgb(changed)));
    const count = readBack.get(name)!;
    count.of += 1;
    if (found !== null && found.id.every((byte, k) => byte === id[k])) count.found += 1;
    else misses.push(name);
  }
  if (misses.length > 0) process.stderr.write(`${path.basename(file)}: not after ${misses.join(', ')}\n`);
}
const report = {
  pictures,
  shares: Object.fromEntries(
    [...readBack].map(([name, { found, of }]) => [name, { share: round(found / of), of }]),
  ),
  leastDecibels: round(Math.min(...decibels)),
  meanDecibels: round(decibels.reduce((sum, value) => sum + value, 0) / pictures),
  unmarked,
  falseFinds,
};
if (values.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
else for (const [name, value] of Object.entries(report)) console.log(name, value);

function listPictures(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(fixture(folder))
      .filter((name) => /\.(jpe?g|png)$/.test(name))
      .map((name) => fixture(`${folder}/${name}`)),
  );
}

/** Cuts six tenths of each side out, at a random place. */
function cropped(image: Sharp, { width, height }: RgbImage): Sharp {
  const [w, h] = [Math.round(0.6 * width), Math.round(0.6 * height)];
  const left = Math.floor((width - w) * nextRandom());
  return image.extract({ left, top: Math.floor((height - h) * nextRandom()), width: w, height: h });
}

function samplesOf({ data, width, height }: RgbImage): SampleRows {
  return { data, width, height, stride: 3 * width, channels: 3 };
}

/** Returns a random part of a picture, at least a third of each side. */
function partOf({ data, width, height, stride, channels }: SampleRows): SampleRows {
  const [w, h] = [width, height].map((side) => Math.floor(side * (1 / 3 + (2 / 3) * nextRandom()))) as [
    number,
    number,
  ];
  const [x, y] = [width - w, height - h].map((room) => Math.floor(room * nextRandom())) as [number, number];
  return { data: data.subarray(y * stride + x * channels), width: w, height: h, stride, channels };
}

function markedCopy(picture: RgbImage, id: Uint8Array): RgbImage {
  const marked = { ...picture, data: picture.data.slice() };
  addWatermark(samplesOf(marked), id);
  return marked;
}

function psnr(a: RgbImage, b: RgbImage): number {
  let sum = 0;
  for (let k = 0; k < a.data.length; k++) sum += (a.data[k]! - b.data[k]!) ** 2;
  return 10 * Math.log10((255 ** 2 * a.data.length) / sum);
}

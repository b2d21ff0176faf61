import { readdirSync } from 'node:fs';
import path from 'node:path';
import { addWatermark } from '@guise/media/watermark/add-watermark.ts';
import { findWatermark } from '@guise/media/watermark/find-watermark.ts';
import type { SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { Sharp } from 'sharp';
import { fixture } from '../../scripts/fixtures.ts';
import { readRgb, toSharp } from '../../scripts/read-rgb.ts';
import { round } from '../report/figures.ts';
import { compress, ffmpeg, RATE_FACTORS } from './ffmpeg.ts';
import { nextRandom, randomId } from './random.ts';

/** Folders whose pictures are marked. */
const FOLDERS = ['portraits', 'groups', 'noface', 'profile-pictures'];
/** Smallest shorter side of a picture for which goals hold, and of any that is marked, pixels. */
const [GOAL_SIDE, MIN_SIDE] = [640, 256];
/** Largest longer side, which bounds the time of the bench. */
const MAX_SIDE = 3300;
/** Most pictures of a folder that are smaller than the goals ask. */
const MAX_SMALL = 30;
/** Smallest shorter side, pixels, of a picture that counts when its size is 25 %. */
const MIN_SIDE_FOR_QUARTER = 1280;

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

/** Whether the right id was read, another one, or none. */
type Reading = 'right' | 'wrong' | 'none';

/** Pictures of one size: how many there are, and which share of their marks was read back. */
class Group {
  readonly #bySource: Record<string, number> = {};
  readonly #byChange = new Map<string, { read: number; wrong: number; of: number }>();
  readonly #decibels: number[] = [];

  addPicture(source: string, decibels: number): void {
    this.#bySource[source] = (this.#bySource[source] ?? 0) + 1;
    this.#decibels.push(decibels);
  }

  addReading(change: string, reading: Reading): void {
    const { read, wrong, of } = this.#byChange.get(change) ?? { read: 0, wrong: 0, of: 0 };
    this.#byChange.set(change, {
      read: read + Number(reading === 'right'),
      wrong: wrong + Number(reading === 'wrong'),
      of: of + 1,
    });
  }

  report(): object {
    const shares = [...this.#byChange].map(([name, { read, wrong, of }]) => [
      name,
      { share: round(read / of), wrong, of },
    ]);
    return {
      pictures: this.#bySource,
      shares: Object.fromEntries(shares),
      leastDecibels: round(Math.min(...this.#decibels)),
      meanDecibels: round(this.#decibels.reduce((sum, value) => sum + value, 0) / this.#decibels.length),
    };
  }
}

/** Marks pictures, changes them, and counts the marks that are read back exactly. */
export async function benchStills(folder: string): Promise<object> {
  const groups = { large: new Group(), small: new Group() };
  for (const file of listPictures()) {
    const picture = await readRgb(file.path);
    const shorter = Math.min(picture.width, picture.height);
    if (shorter < MIN_SIDE || Math.max(picture.width, picture.height) > MAX_SIDE) continue;
    if (shorter < GOAL_SIDE && file.number >= MAX_SMALL) continue;
    const group = shorter < GOAL_SIDE ? groups.small : groups.large;
    const id = randomId();
    const marked = markedCopy(picture, id);
    group.addPicture(file.source, psnr(picture, marked));
    for await (const { name, changed } of changes(marked, folder)) {
      if (name === '25 % size' && shorter < MIN_SIDE_FOR_QUARTER) continue;
      const reading = readIn(await readRgb(changed), id);
      group.addReading(name, reading);
      if (reading !== 'right')
        process.stderr.write(`${file.source}/${path.basename(file.path)}: not after ${name}\n`);
    }
  }
  return {
    'shorter side of 640 pixels and more': groups.large.report(),
    'shorter side of 256 to 639 pixels': groups.small.report(),
  };
}

/** Lists the pictures of the fixtures, and the number of each in its folder. */
export function listPictures(): { path: string; source: string; number: number }[] {
  return FOLDERS.flatMap((source) =>
    readdirSync(fixture(source))
      .filter((name) => /\.(jpe?g|png)$/.test(name))
      .map((name, number) => ({ path: fixture(`${source}/${name}`), source, number })),
  );
}

export function samplesOf({ data, width, height }: RgbImage): SampleRows {
  return { data, width, height, stride: 3 * width, channels: 3 };
}

async function* changes(
  marked: RgbImage,
  folder: string,
): AsyncGenerator<{ name: string; changed: Buffer | string }> {
  for (const [name, change] of Object.entries(CHANGES))
    yield { name, changed: await change(toSharp(marked), marked).toBuffer() };
  const [still, video, frame] = ['still.png', 'still.mp4', 'frame.png'].map((name) =>
    path.join(folder, name),
  );
  await toSharp(marked).png({ compressionLevel: 1 }).toFile(still!);
  for (const rateFactor of RATE_FACTORS) {
    if (!(await compress(still!, video!, rateFactor))) return;
    await ffmpeg('-i', video!, frame!);
    yield { name: `H.264 crf ${rateFactor}`, changed: frame! };
  }
}

function readIn(picture: RgbImage, id: Uint8Array): Reading {
  const found = findWatermark(samplesOf(picture));
  if (found === null) return 'none';
  return Buffer.compare(found.id, id) === 0 ? 'right' : 'wrong';
}

/** Cuts six tenths of each side out, at a random place. */
function cropped(image: Sharp, { width, height }: RgbImage): Sharp {
  const [w, h] = [Math.round(0.6 * width), Math.round(0.6 * height)];
  const left = Math.floor((width - w) * nextRandom());
  return image.extract({ left, top: Math.floor((height - h) * nextRandom()), width: w, height: h });
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

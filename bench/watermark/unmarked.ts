import type { SampleRows } from '@guise/kernels/scale/luma-grid.ts';
import { findWatermark } from '@guise/media/watermark/find-watermark.ts';
import { idOf } from '@guise/media/watermark/payload.ts';
import { readRgb } from '../../scripts/read-rgb.ts';
import { nextRandom } from './random.ts';
import { listPictures, samplesOf } from './stills.ts';

/** Number of random payloads that are read. */
const PAYLOADS = 100_000;
/** Sides of drawings and noise, pixels. */
const [MIN_SIDE, MAX_SIDE] = [200, 900];

/**
 * Searches pictures without a mark, in all places: parts of the fixtures, noise and drawings.
 * @param count number of pictures of all kinds
 */
export async function benchUnmarked(count: number): Promise<object> {
  const kinds = { parts: Math.round(0.6 * count), noise: Math.round(0.2 * count) };
  const pictures = {
    'parts of the fixtures': partsOfFixtures(kinds.parts),
    noise: noise(kinds.noise),
    drawings: drawings(count - kinds.parts - kinds.noise),
  };
  const report: Record<string, { searched: number; found: number }> = {};
  for (const [kind, all] of Object.entries(pictures)) {
    let [searched, found] = [0, 0];
    for await (const samples of all) {
      searched += 1;
      if (findWatermark(samples) !== null) found += 1;
    }
    report[kind] = { searched, found };
  }
  report['random payloads'] = randomPayloads();
  return report;
}

async function* partsOfFixtures(count: number): AsyncGenerator<SampleRows> {
  const files = listPictures();
  const each = Math.ceil(count / files.length);
  let left = count;
  for (const { path } of files) {
    const whole = samplesOf(await readRgb(path));
    for (let part = 0; part < each && left > 0; part++, left--) yield partOf(whole);
  }
}

/** Returns a random part of a picture, at least a third of each side. */
function partOf({ data, width, height, stride, channels }: SampleRows): SampleRows {
  const [w, h] = [partOfSide(width), partOfSide(height)];
  const [x, y] = [Math.floor((width - w) * nextRandom()), Math.floor((height - h) * nextRandom())];
  return { data: data.subarray(y * stride + x * channels), width: w, height: h, stride, channels };
}

function partOfSide(side: number): number {
  return Math.floor(side * (1 / 3 + (2 / 3) * nextRandom()));
}

function* noise(count: number): Generator<SampleRows> {
  for (let k = 0; k < count; k++) {
    const [width, height] = [randomSide(), randomSide()];
    const data = Uint8Array.from({ length: width * height }, () => 256 * nextRandom());
    yield { data, width, height, stride: width, channels: 1 };
  }
}

async function* drawings(count: number): AsyncGenerator<SampleRows> {
  for (let k = 0; k < count; k++) {
    const [width, height] = [randomSide(), randomSide()];
    const shapes = Array.from({ length: 4 + any(30) }, () => {
      const [x, y, size] = [any(width), any(height), any(300)];
      const shape = [
        `<circle cx="${x}" cy="${y}" r="${size / 2}" fill="${colour()}"/>`,
        `<rect x="${x}" y="${y}" width="${size}" height="${any(300)}" fill="${colour()}"/>`,
        `<path d="M${x} ${y}L${any(width)} ${any(height)}" stroke="${colour()}" stroke-width="${1 + any(9)}"/>`,
        `<text x="${x}" y="${y}" font-size="${8 + any(60)}" fill="${colour()}">guise ${any(1e6)}</text>`,
      ];
      return shape[any(shape.length)];
    });
    const ground = `<rect width="100%" height="100%" fill="${colour()}"/>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}${shapes.join('')}</svg>`;
    yield samplesOf(await readRgb(Buffer.from(svg)));
  }
}

/** Reads random bytes as payloads: by chance, a checksum is right once in 17 million. */
function randomPayloads(): { searched: number; found: number } {
  let found = 0;
  for (let k = 0; k < PAYLOADS; k++) {
    const bytes = Uint8Array.from({ length: 9 }, () => any(256));
    if (idOf({ bytes }) !== null) found += 1;
  }
  return { searched: PAYLOADS, found };
}

function randomSide(): number {
  return Math.floor(MIN_SIDE + (MAX_SIDE - MIN_SIDE) * nextRandom());
}

/** Returns a whole number from 0 up to `most`. */
function any(most: number): number {
  return Math.floor(most * nextRandom());
}

function colour(): string {
  return `rgb(${any(256)},${any(256)},${any(256)})`;
}

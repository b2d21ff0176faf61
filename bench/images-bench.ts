import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeImage } from '@guise/media/image/decode.ts';
import { encodeImage } from '@guise/media/image/encode.ts';
import sharp from 'sharp';
import { timeRounds, type Figure } from './report/figures.ts';
import type { BenchPictures } from './pictures.ts';

const FORMATS = ['png', 'jpeg', 'webp'] as const;
const ROUNDS = 9;
const MAX_PIXELS = 100_000_000;

/**
 * Measures the time to decode a file of one megapixel to pixels, and to write the pixels to a
 * durable file (with fsync).
 */
export async function benchImages(pictures: BenchPictures): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-bench-'));
  try {
    const figures: Figure[] = [];
    for (const format of FORMATS) {
      const file = path.join(folder, `target.${format}`);
      await writeFile(file, await sharp(pictures.target).toFormat(format).toBuffer());
      const decoded = await decodeImage(file, { maxPixels: MAX_PIXELS });
      const decodeMs = await timeRounds(ROUNDS, 2, () => decodeImage(file, { maxPixels: MAX_PIXELS }));
      const out = path.join(folder, `out.${format}`);
      const encodeMs = await timeRounds(ROUNDS, 2, () => encodeImage(decoded, format, out));
      const { sizeBytes } = await encodeImage(decoded, format, out);
      figures.push(
        { name: `${format}: decode, p50`, value: decodeMs.p50, unit: 'ms' },
        { name: `${format}: encode and sync, p50`, value: encodeMs.p50, unit: 'ms' },
        { name: `${format}: size`, value: Math.round(sizeBytes / 1024), unit: 'KiB' },
      );
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeImage } from '@guise/media/image/decode.ts';
import { encodeImage } from '@guise/media/image/encode.ts';
import sharp from 'sharp';
import { timeRounds, type Distribution } from './figures.ts';
import type { BenchPictures } from './pictures.ts';

const FORMATS = ['png', 'jpeg', 'webp'] as const;
const ROUNDS = 9;
const MAX_PIXELS = 100_000_000;

export type ImageFigures = Record<
  (typeof FORMATS)[number],
  { decodeMs: Distribution; encodeMs: Distribution }
>;

/** File to pixels and pixels to a durable file (fsync included), one megapixel. */
export async function benchImages(pictures: BenchPictures): Promise<ImageFigures> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-bench-'));
  try {
    const figures: Partial<ImageFigures> = {};
    for (const format of FORMATS) {
      const file = path.join(folder, `target.${format}`);
      await writeFile(file, await sharp(pictures.target).toFormat(format).toBuffer());
      const decoded = await decodeImage(file, { maxPixels: MAX_PIXELS });
      figures[format] = {
        decodeMs: await timeRounds(ROUNDS, 2, () => decodeImage(file, { maxPixels: MAX_PIXELS })),
        encodeMs: await timeRounds(ROUNDS, 2, () =>
          encodeImage(decoded, format, path.join(folder, `out.${format}`)),
        ),
      };
    }
    return figures as ImageFigures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

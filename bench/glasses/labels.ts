import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** One face of the fixtures and whether it wears glasses, as seen by eye. */
export interface Label {
  readonly file: string;
  /** Whole second of a clip. */
  readonly second: number;
  /** Middle of the face's box, pixels. */
  readonly at: readonly [x: number, y: number];
  /** Longer side of the face's box, pixels. */
  readonly size: number;
  /** Same for all the pictures of one person. */
  readonly person: string;
  /** Unknown where the face is too small, too blurred or too covered to say. */
  readonly glasses: 'yes' | 'no' | 'unknown';
}

export async function readLabels(): Promise<Label[]> {
  return JSON.parse(await readFile(path.join(import.meta.dirname, 'labels.json'), 'utf8')) as Label[];
}

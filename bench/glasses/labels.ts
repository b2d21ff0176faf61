import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FixtureFace } from './fixture-faces.ts';

/** One face of the fixtures and whether it wears glasses, as seen by eye. */
export interface Label {
  readonly file: string;
  /** Whole second of a clip, 0 of a photo. */
  readonly second: number;
  /** Middle of the face's box, pixels. */
  readonly at: readonly [x: number, y: number];
  /** Longer side of the face's box, pixels. */
  readonly size: number;
  /** Name that all the pictures of one person share. */
  readonly person: string;
  /** Unknown where the face is too small, too blurred or too covered to say, or is none. */
  readonly glasses: 'yes' | 'no' | 'unknown';
}

/** Share of a face's size within which the middle of its label lies. */
const NEAR_SHARE = 0.3;

export async function readLabels(): Promise<Label[]> {
  return JSON.parse(await readFile(path.join(import.meta.dirname, 'labels.json'), 'utf8')) as Label[];
}

/**
 * Finds the label of each face.
 * @throws Error where a face has none: look at it, and add it to labels.json
 */
export async function labelsOf(faces: readonly FixtureFace[]): Promise<Label[]> {
  const labels = await readLabels();
  return faces.map(({ file, second, x, y, size }) => {
    const label = labels.find(
      (one) =>
        one.file === file &&
        one.second === second &&
        Math.hypot(one.at[0] - x, one.at[1] - y) < NEAR_SHARE * size,
    );
    if (!label) throw new Error(`labels.json has no face at ${x}, ${y} of ${file}, second ${second}.`);
    return label;
  });
}

/** Names a face in a report. */
export function nameOf({ file, second, person, size }: Label): string {
  const clip = isOfClip(file) ? ` second ${second}` : '';
  return `${path.basename(file).split(/[_.]/)[0]}${clip} (${person}, ${size} px)`;
}

export function isOfClip(file: string): boolean {
  return file.startsWith('gif/') || file.startsWith('video/');
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Folder of the pictures. NOTICE describes how they were made; all people in them are computed. */
const FACES = path.join(import.meta.dirname, '../../assets/faces');

/**
 * JPEG files of two computer-generated women, 640 x 640 each, who resemble nobody. `guise demo` and
 * the README show them.
 */
export const DEMO_FACES = {
  source: path.join(FACES, 'source.jpg'),
  target: path.join(FACES, 'target.jpg'),
} as const;

/** Two computer-generated people for the engine's warm-up and for tests without fixtures. */
export interface SampleFaces {
  /** JPEG, 256 x 256: one frontal face. */
  readonly face: Buffer;
  /** JPEG, 1200 pixels high: one whole figure with a small face. */
  readonly body: Buffer;
}

export async function readSampleFaces(): Promise<SampleFaces> {
  const [face, body] = await Promise.all(
    ['face.jpg', 'body.jpg'].map((name) => readFile(path.join(FACES, name))),
  );
  return { face: face!, body: body! };
}

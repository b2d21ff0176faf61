import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * The two computer-generated people that the `@vladmandic/human` package contains for its own
 * warm-up. They resemble nobody and are always installed. The engine's warm-up and the tests
 * without fixtures use them.
 */
export interface SampleFaces {
  /** JPEG, 256 x 256: one frontal face. */
  readonly face: Buffer;
  /** JPEG, 1200 pixels high: one whole figure with a small face. */
  readonly body: Buffer;
}

/**
 * JPEG files of two computer-generated women, 640 x 640 each, who resemble nobody (NOTICE describes
 * how they were made). `guise demo` and the README show them.
 */
export const DEMO_FACES = {
  source: path.join(import.meta.dirname, '../../assets/faces/source.jpg'),
  target: path.join(import.meta.dirname, '../../assets/faces/target.jpg'),
} as const;

/** @throws Error if the package's sample file is not as expected */
export async function readSampleFaces(): Promise<SampleFaces> {
  const entry = createRequire(import.meta.url).resolve('@vladmandic/human');
  const source = await readFile(path.join(path.dirname(entry), '../src/sample.ts'), 'utf8');
  return { face: sample(source, 'face'), body: sample(source, 'body') };
}

// The package exports neither sample, so its source file is read as data: `export const NAME[:
// string] = `<base64 in lines>`;`.
function sample(source: string, name: string): Buffer {
  const base64 = new RegExp(`export const ${name}\\b[^=]*=\\s*\`([^\`]*)\``).exec(source)?.[1];
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) {
    throw new Error(`@vladmandic/human carries no JPEG sample named ${name}`);
  }
  return bytes;
}

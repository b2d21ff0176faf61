import { readdir } from 'node:fs/promises';
import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { fixture } from '../scripts/fixtures.ts';
import { readRgb, toSharp } from '../scripts/read-rgb.ts';

/** A portrait of the fixtures, with its largest face. */
export interface Portrait {
  readonly name: string;
  readonly image: RgbImage;
  readonly face: Face;
  readonly embedding: Float32Array;
}

/**
 * Names of portraits with one unoccluded face each. Only p20 wears glasses, which stay in front of
 * every new face.
 */
export const CLEAR = ['p01', 'p13', 'p14', 'p15a', 'p16', 'p20', 'p21', 'p30', 'p43', 'p44', 'p63'];

/** Portraits by category, marked by eye. Only the turn of a head is measured. */
const MARKED: Readonly<Record<string, readonly string[]>> = {
  glasses: ['p18', 'p20', 'p25', 'p33', 'p34', 'p60'],
  beard: ['p19', 'p21', 'p25', 'p34'],
  'dark skin': ['p14', 'p18', 'p21'],
  'hard or coloured light': ['p14', 'p20', 'p22', 'p30', 'p33', 'p34'],
  occluded: ['p22', 'p33', 'p34', 'p53', 'p60'],
  'low-res': ['p43', 'p44', 'p53', 'p54', 'p60', 'p63'],
  'black-and-white': ['p25', 'curie'],
  rolled: ['p21', 'p54'],
};
/** Smallest yaw of a head that counts as turned, degrees. */
const TURNED = 8;
const THREE_QUARTER = 13;
const PROFILE = 35;

/** Additional files of a category, outside of `portraits/`. */
const OTHERS: Readonly<Record<string, string>> = { curie: 'odd/o16_curie.jpg' };

/** Reads all portraits in which a face is found, one per person, reduced to at most 1200 pixels. */
export async function readPortraits(engine: Engine): Promise<Portrait[]> {
  const files = Object.fromEntries(
    (await readdir(fixture('portraits'))).sort().map((file) => [file.split('_')[0]!, `portraits/${file}`]),
  );
  const portraits: Portrait[] = [];
  for (const [name, file] of Object.entries({ ...files, ...OTHERS })) {
    // It shows the same person as p15a, so a correct identity would be counted as wrong.
    if (name === 'p15b') continue;
    const image = await readRgb(fixture(file), { longest: 1200 });
    const face = (await engine.detect(image)).sort((a, b) => b.box.width - a.box.width)[0];
    if (face) portraits.push({ name, image, face, embedding: await engine.analyser.embed(image, face) });
  }
  return portraits;
}

/** Prefix of the name of a mirrored portrait. */
export const MIRRORED = '~';

/**
 * Mirrors the clear faces that are turned, to get faces that are turned in the opposite direction.
 */
export async function readMirrored(engine: Engine, portraits: readonly Portrait[]): Promise<Portrait[]> {
  const mirrored: Portrait[] = [];
  for (const { name, image, face } of portraits) {
    if (!CLEAR.includes(name) || Math.abs(face.pose.yaw) < TURNED) continue;
    const flipped = await readRgb(await toSharp(image).flop().png().toBuffer());
    const [other] = await engine.detect(flipped);
    if (!other) continue;
    const embedding = await engine.analyser.embed(flipped, other);
    mirrored.push({ name: `${MIRRORED}${name}`, image: flipped, face: other, embedding });
  }
  return mirrored;
}

/** Returns the names of the portraits in each category. */
export function categoriesOf(portraits: readonly Portrait[]): Record<string, readonly string[]> {
  const turned = (from: number, to: number): string[] =>
    portraits
      .filter(({ face }) => Math.abs(face.pose.yaw) >= from && Math.abs(face.pose.yaw) < to)
      .map(({ name }) => name);
  return {
    'clear portraits': CLEAR,
    frontal: turned(0, THREE_QUARTER),
    'three-quarter': turned(THREE_QUARTER, PROFILE),
    profile: turned(PROFILE, 180),
    ...MARKED,
  };
}

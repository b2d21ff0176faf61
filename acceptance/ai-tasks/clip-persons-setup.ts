import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { composeClip } from '@guise/engine-host/testing/compose-clip.ts';
import sharp from 'sharp';
import type { File } from './client.ts';

const { face, body } = await readSampleFaces();
const folder = await mkdtemp(path.join(tmpdir(), 'guise-persons-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Size of the clip of two people. */
export const PAIR = { width: 560, height: 300, framesPerSecond: 5 };
/** Where each of the two is: the first is whom a swap without a mapping is about. */
export const PLACES = [
  { x: 20, y: 24, side: 256 },
  { x: 350, y: 60, side: 180 },
] as const;

/** The face of the figure among the samples, cut out. */
async function secondFace(): Promise<Buffer> {
  return sharp(body)
    .extract({ left: 490, top: 5, width: 200, height: 200 })
    .resize(PLACES[1].side, PLACES[1].side)
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** Two computer-generated people side by side, still. */
export async function pairClip(frames: number): Promise<File> {
  const av = (await loadNodeAv())!;
  const file = path.join(folder, `pair-${frames}.mp4`);
  const pictures = [await sharp(face).removeAlpha().raw().toBuffer(), await secondFace()];
  const tiles = PLACES.map(({ x, y, side }, k) => ({
    tile: { name: `${k}`, data: pictures[k]!, width: side, height: side },
    x,
    y,
  }));
  await composeClip(av, file, { ...PAIR, frames, tiles: () => tiles });
  return { bytes: await readFile(file), name: 'pair.mp4', type: 'video/mp4' };
}

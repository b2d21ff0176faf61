import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { composeClip } from '@guise/engine-host/testing/compose-clip.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import sharp from 'sharp';
import { makeFaceClip } from '../v1/face-clip.ts';

/**
 * What a person picks in these tests, as Playwright hands files over; the sample faces are
 * nobody's.
 */
export interface Picked {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const samples = await readSampleFaces();
export const face: Picked = { name: 'face.jpg', mimeType: 'image/jpeg', buffer: samples.face };
export const body: Picked = { name: 'body.jpg', mimeType: 'image/jpeg', buffer: samples.body };

const SIDE = 320;
const ground = (width: number) => sharp({ create: { width, height: SIDE, channels: 3, background: '#567' } });

export async function noFace(): Promise<Picked> {
  return { name: 'wall.png', mimeType: 'image/png', buffer: await ground(SIDE).png().toBuffer() };
}

/** Makes a picture of a face so small that the quote warns of it. */
export async function smallFace(): Promise<Picked> {
  const input = await sharp(samples.face).resize(80).toBuffer();
  const buffer = await ground(SIDE)
    .composite([{ input, left: 120, top: 120 }])
    .png()
    .toBuffer();
  return { name: 'far.png', mimeType: 'image/png', buffer };
}

/** Two faces beside each other; the left one is the first, being as large. */
export async function twoFaces(): Promise<Picked> {
  const faces = [0, SIDE].map((left) => ({ input: samples.face, left: left + 32, top: 32 }));
  const buffer = await ground(2 * SIDE)
    .composite(faces)
    .png()
    .toBuffer();
  return { name: 'two.png', mimeType: 'image/png', buffer };
}

/** Five pictures in half a second. */
export async function faceGif(): Promise<Picked> {
  const pictures = await Promise.all(
    [0, 1, 2, 3, 4].map((index) =>
      ground(SIDE)
        .composite([{ input: samples.face, left: 16 + 4 * index, top: 32 }])
        .png()
        .toBuffer(),
    ),
  );
  const buffer = await sharp(pictures, { join: { animated: true } })
    .gif({ delay: pictures.map(() => 100), loop: 0 })
    .toBuffer();
  return { name: 'nod.gif', mimeType: 'image/gif', buffer };
}

const av = await loadNodeAv();
export const skipWithoutVideo: string | false = av === null ? 'node-av is not installed' : false;

/** Two seconds of two people beside each other. Only where `skipWithoutVideo` is false. */
export async function pairClip(): Promise<Picked> {
  const second = sharp(samples.body).extract({ left: 490, top: 5, width: 200, height: 200 }).resize(180);
  const tiles = await Promise.all(
    [sharp(samples.face), second].map(async (picture, k) => {
      const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
      return { tile: { name: `${k}`, data, width: info.width, height: info.height }, x: 20 + 330 * k, y: 24 };
    }),
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-pair-'));
  try {
    const file = path.join(folder, 'pair.mp4');
    await composeClip(av!, file, {
      width: 560,
      height: 300,
      frames: 10,
      framesPerSecond: 5,
      tiles: () => tiles,
    });
    return { name: 'pair.mp4', mimeType: 'video/mp4', buffer: await readFile(file) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Ten pictures a second. Only where `skipWithoutVideo` is false. */
export async function faceClip(seconds = 1): Promise<Picked> {
  return { name: 'clip.mp4', mimeType: 'video/mp4', buffer: await makeFaceClip(av!, samples.face, seconds) };
}

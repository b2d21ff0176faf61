import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
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

/** Ten pictures a second. Only where `skipWithoutVideo` is false. */
export async function faceClip(seconds = 1): Promise<Picked> {
  return { name: 'clip.mp4', mimeType: 'video/mp4', buffer: await makeFaceClip(av!, samples.face, seconds) };
}

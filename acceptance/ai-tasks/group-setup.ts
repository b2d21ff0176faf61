import assert from 'node:assert/strict';
import sharp from 'sharp';
import type { Client, Fields } from './client.ts';
import { client, face, newClient } from './photo-setup.ts';

/** What the tests of the group workflow share. */

export const GROUP = '/api/ai-tasks/multi-face-swap';
export const groupClient = client.at(GROUP);

export async function newGroupClient(options: Parameters<typeof newClient>[0]): Promise<Client> {
  return (await newClient(options)).at(GROUP);
}

export interface Box {
  readonly faceIndex?: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Rows of the sample face in noise, which nothing but a copy preserves. */
export async function groupPhoto(columns: number, rows: number): Promise<Buffer> {
  const cell = 320;
  const [width, height] = [columns * cell, rows * cell];
  const noise = Buffer.from(
    Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * 2_654_435_761) >>> 24),
  );
  const faces = Array.from({ length: columns * rows }, (_, n) => ({
    input: face,
    left: (n % columns) * cell + 32,
    top: Math.floor(n / columns) * cell + 32,
  }));
  return sharp(noise, { raw: { width, height, channels: 3 } })
    .composite(faces)
    .png()
    .toBuffer();
}

export async function facesOf(picture: Uint8Array): Promise<Box[]> {
  const { status, body } = await client.post([['image', { bytes: picture }]], {
    path: '/api/ai-tasks/detect-faces',
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.faces.map(({ x, y, width, height }: Box) => ({ x, y, width, height }));
}

/** One identity a box, numbered from 0. */
export function group(
  photo: Uint8Array,
  mappings: readonly (readonly [identity: Uint8Array, box: Box | string])[],
  extra: Fields = [],
): Fields {
  return [
    ['sourceImage', { bytes: photo }],
    ...mappings.flatMap(([identity, box], n) => mapping(n, identity, box)),
    ...extra,
  ];
}

export function mapping(n: number, identity: Uint8Array, box: Box | string): Fields {
  const text = typeof box === 'string' ? box : JSON.stringify(box);
  return [
    [`targetFace${n}`, { bytes: identity }],
    [`faceBox${n}`, text],
  ];
}

/** Three faces of one photo, 960 x 320. */
export const three = await groupPhoto(3, 1);
export const boxes = await facesOf(three);
assert.equal(boxes.length, 3);

/** A correct request: the middle face. */
export const one = group(three, [[face, boxes[1]!]]);

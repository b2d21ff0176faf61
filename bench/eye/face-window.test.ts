import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Face } from '@guise/engine/face/geometry/face.ts';
import sharp from 'sharp';
import { chooseFace, cutWindow, windowAround } from './face-window.ts';

const WHITE = { width: 100, height: 80, data: new Uint8Array(100 * 80 * 3).fill(255) };

function face(x: number, y: number, side: number): Face {
  const box = { x, y, width: side, height: side };
  return { box, score: 1, landmarks: new Float32Array(), pose: { yaw: 0, pitch: 0, roll: 0 } };
}

test('the face at a point is chosen, or the largest face if there is no point', () => {
  const faces = [face(10, 10, 20), face(60, 40, 10)];
  assert.equal(chooseFace(faces, WHITE, [0.65, 0.55]), faces[1]);
  assert.equal(chooseFace(faces, WHITE, undefined), faces[0]);
  assert.equal(chooseFace([], WHITE, [0.5, 0.5]), undefined);
});

test('a panel shows each face at the same size, and grey outside the picture', async () => {
  const window = windowAround(face(0, 30, 20), WHITE, 2);
  const { data, info } = await sharp(await cutWindow(WHITE, window, 80))
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [80, 80]);
  const valueAt = (x: number, y: number): number => data[(y * 80 + x) * info.channels]!;
  // The window reaches from -10 to 30, so a quarter of it is left of the picture.
  assert.equal(valueAt(10, 40), 128);
  assert.equal(valueAt(30, 40), 255);
});

test('a window fits a copy of another size', async () => {
  const half = { width: 50, height: 40, data: new Uint8Array(50 * 40 * 3) };
  const window = windowAround(face(40, 30, 20), WHITE, 2);
  const { data, info } = await sharp(await cutWindow(half, window, 80))
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [80, 80]);
  assert.ok(data.every((value) => value === 0));
});

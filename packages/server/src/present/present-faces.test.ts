import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DetectedFace } from '@guise/contract/work.ts';
import { presentFaces } from './present-faces.ts';

const present = (face: Partial<DetectedFace>): DetectedFace =>
  presentFaces({
    width: 300,
    height: 200,
    faces: [
      {
        faceIndex: 0,
        x: 10,
        y: 10,
        width: 50,
        height: 60,
        score: 0.987654,
        yaw: -0.001,
        pitch: 1.234,
        roll: 2,
        ...face,
      },
    ],
  })[0]!;

test('hundredths of pixels and degrees, and no -0', () => {
  assert.deepEqual(present({ x: 10.126, width: 49.999 }), {
    faceIndex: 0,
    x: 10.13,
    y: 10,
    width: 50,
    height: 60,
    score: 0.9877,
    yaw: 0,
    pitch: 1.23,
    roll: 2,
  });
});

test('a face beyond an edge has a box that ends there', () => {
  const { x, y, width, height } = present({ x: -20.5, y: -1, width: 400, height: 51.25 });
  assert.deepEqual([x, y, width, height], [0, 0, 300, 50.25]);
  const corner = present({ x: 250.004, y: 150.5, width: 90, height: 90 });
  assert.deepEqual([corner.x, corner.y, corner.width, corner.height], [250, 150.5, 50, 49.5]);
});

test('rounding never leads out of the picture', () => {
  for (let n = 0; n < 1000; n++) {
    const start = 100 + n * 0.0173;
    const { x, y, width, height } = present({ x: start, y: start, width: 500, height: 500 });
    assert.ok(x + width <= 300 * (1 + 1e-9) && y + height <= 200 * (1 + 1e-9), String(start));
  }
});

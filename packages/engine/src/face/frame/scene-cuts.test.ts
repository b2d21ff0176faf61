import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SceneCuts } from './scene-cuts.ts';
import type { LumaView } from './scene-cuts.ts';

const WIDTH = 320;
const HEIGHT = 180;

function picture(level: (x: number, y: number) => number): LumaView {
  const stride = WIDTH + 16;
  const data = new Uint8Array(stride * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) data[y * stride + x] = Math.max(0, Math.min(255, level(x, y)));
  }
  return { data, stride, width: WIDTH, height: HEIGHT };
}

const room = (shift: number, light = 0) =>
  picture((x, y) => 90 + light + 60 * Math.sin((x + shift) / 31) + 30 * Math.cos(y / 23));
const street = picture((x, y) => (x + 2 * y) / 3 + (x % 80 < 40 ? 60 : 0));

function cutsOf(frames: readonly LumaView[]): number[] {
  const cuts = new SceneCuts();
  return frames.flatMap((frame, index) => (cuts.isCut(frame) ? [index] : []));
}

test('another picture is a cut, and so is the way back', () => {
  assert.deepEqual(cutsOf([room(0), room(1), room(2), street, street, room(3)]), [3, 5]);
});

test('a camera that moves, slowly or fast, is none', () => {
  assert.deepEqual(cutsOf(Array.from({ length: 20 }, (_, i) => room(i))), []);
  assert.deepEqual(cutsOf(Array.from({ length: 20 }, (_, i) => room(8 * i))), []);
});

test('a flash and a fade are none', () => {
  const fade = Array.from({ length: 10 }, (_, i) => room(0, -8 * i));
  assert.deepEqual(cutsOf([room(0), room(0), room(0, 70), room(0), ...fade]), []);
});

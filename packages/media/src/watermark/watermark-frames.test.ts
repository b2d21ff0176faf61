import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lumaGrid } from '@guise/kernels/scale/luma-grid.ts';
import { RgbaFrame } from '../gif/rgba-frame.ts';
import { colourMatrix } from '../video/colour.ts';
import type { MediaFrame } from '../video/video-types.ts';
import { YuvFrame } from '../video/yuv-frame.ts';
import { GRID_SIDE } from './carrier.ts';
import { foundIn } from './find-pattern.ts';
import { readPattern } from './read-pattern.ts';
import { watermarkFrames } from './watermark-frames.ts';

const [WIDTH, HEIGHT, STRIDE] = [642, 361, 704];
const ID = '0180ff005ac3';

const untouched = (): Promise<void> => Promise.resolve();

/** A soft slope with some noise, which differs from frame to frame. */
const light = (x: number, y: number, frame: number): number =>
  60 + x / 8 + y / 16 + ((x * 7919 + y * 104_729 + frame * 31) % 9);

function yuvFrame(frame: number): YuvFrame {
  const luma = new Uint8Array(STRIDE * HEIGHT);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < STRIDE; x++) luma[y * STRIDE + x] = x < WIDTH ? light(x, y, frame) : 1;
  const chroma = () => new Uint8Array((STRIDE / 2) * ((HEIGHT + 1) >> 1)).fill(128);
  const store = { planes: [luma, chroma(), chroma()], strides: [STRIDE, STRIDE / 2, STRIDE / 2] };
  return new YuvFrame(
    { ...store, width: WIDTH, height: HEIGHT },
    colourMatrix(1, false, WIDTH, HEIGHT),
    0,
    0,
  );
}

function idIn(frame: MediaFrame): string | null {
  const grid = lumaGrid({ ...frame.luma(), channels: 1 }, GRID_SIDE);
  const found = foundIn(readPattern(grid));
  return found && Buffer.from(found.id).toString('hex');
}

test('each frame gets the same levels after its edit, at most two, in its light only', async () => {
  const edited: number[] = [];
  const edit = watermarkFrames(ID, (_frame, number: number) => Promise.resolve(void edited.push(number)));
  const [first, second] = [yuvFrame(1), yuvFrame(2)];
  await edit(first, 1);
  await edit(second, 2);
  assert.deepEqual(edited, [1, 2]);
  const levels = [first, second].map((frame, k) => {
    const before = yuvFrame(k + 1).luma().data;
    return frame.luma().data.map((value, at) => value - before[at]!);
  });
  assert.deepEqual(levels[0], levels[1], 'nothing flickers');
  const changes = new Int8Array(levels[0]!);
  assert.ok(changes.some((change) => change !== 0));
  assert.ok(changes.every((change, at) => (at % STRIDE < WIDTH ? Math.abs(change) <= 2 : change === 0)));
  assert.ok(first.planes.data.slice(1).every((plane) => plane.every((value) => value === 128)));
  assert.equal(idIn(first), ID);
  assert.equal(idIn(yuvFrame(1)), null);
});

test('pictures of a GIF get it in all colours, and keep their alpha', async () => {
  const rgba = Uint8Array.from({ length: 4 * WIDTH * HEIGHT }, (_, k) =>
    k % 4 === 3 ? k % 256 : light((k >> 2) % WIDTH, Math.floor(k / 4 / WIDTH), 0),
  );
  const frame = new RgbaFrame(rgba.slice(), WIDTH, HEIGHT, 0, 0);
  await watermarkFrames(ID, untouched)(frame);
  assert.equal(idIn(frame), ID);
  const marked = frame.rgb({ x: 0, y: 0, width: WIDTH, height: HEIGHT }).data;
  assert.ok(marked.every((value, k) => Math.abs(value - rgba[4 * Math.floor(k / 3) + (k % 3)]!) <= 2));
});

test('without an id the editor is the same', () => {
  assert.equal(watermarkFrames(undefined, untouched), untouched);
});

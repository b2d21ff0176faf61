import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANDMARK_COUNT } from '../geometry/face.ts';
import { recordMesh } from '../geometry/mesh-record.ts';
import type { MeshRecord } from '../geometry/mesh-record.ts';
import { MeshSteadier } from './steady-mesh.ts';

const FRAMES = 40;
const TIMES = Float64Array.from({ length: FRAMES }, (_, i) => i / 25);

/** A face of 200 x 200 pixels whose every vertex goes where `path` says. */
function clip(path: (frame: number, vertex: number) => readonly [number, number]): (MeshRecord | null)[] {
  return Array.from({ length: FRAMES }, (_, frame) => {
    const mesh = new Float32Array(468 * 3);
    for (let v = 0; v < 468; v++) {
      const [dx, dy] = path(frame, v);
      mesh[3 * v] = 300 + (v % 22) * (200 / 21) + dx;
      mesh[3 * v + 1] = 200 + Math.floor(v / 22) * (200 / 21) + dy;
    }
    return recordMesh(mesh);
  });
}

function read(records: readonly (MeshRecord | null)[], frame: number): Float32Array {
  const out = new Float32Array(LANDMARK_COUNT * 3);
  new MeshSteadier().read((index) => records[index] ?? null, TIMES, frame, out);
  return out;
}

const restingX = (v: number): number => 300 + (v % 22) * (200 / 21);

test('a still face that the model trembles on is steady', () => {
  let seed = 1;
  const noise = (): number => ((seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5) * 1;
  const records = clip(() => [noise(), noise()]);
  let raw = 0;
  let steady = 0;
  for (let frame = 6; frame < FRAMES - 6; frame++) {
    const mesh = read(records, frame);
    const record = records[frame]!;
    for (let v = 30; v < 430; v++) {
      steady += (mesh[3 * v]! - restingX(v)) ** 2;
      raw += ((record.points[3 * v]! * record.size) / 16_000 + record.x - restingX(v)) ** 2;
    }
  }
  assert.ok(steady < 0.25 * raw, `${Math.sqrt(steady / raw)} of the tremble is left`);
});

test('a face in even motion is where it is: no lag at any speed', () => {
  for (const speed of [1, 8, 25]) {
    const mesh = read(
      clip((frame) => [speed * frame, 0]),
      20,
    );
    for (let v = 0; v < 468; v++) assert.ok(Math.abs(mesh[3 * v]! - restingX(v) - 20 * speed) < 0.05);
  }
});

test('a blink of two frames keeps nearly all of its depth', () => {
  const records = clip((frame, v) => [0, isLid(v) && (frame === 20 || frame === 21) ? 8 : 0]);
  const resting = read(
    clip(() => [0, 0]),
    20,
  );
  const mesh = read(records, 20);
  for (let v = 200; v < 216; v++) assert.ok(mesh[3 * v + 1]! - resting[3 * v + 1]! > 7);
});

test('the first and the last frame, with nobody beyond, are read as they are', () => {
  const records = clip((frame) => [frame * frame, 0]);
  assert.ok(Math.abs(read(records, 0)[0]! - 300) < 0.05);
  assert.ok(Math.abs(read(records, FRAMES - 1)[0]! - 300 - (FRAMES - 1) ** 2) < 0.05);
});

function isLid(v: number): boolean {
  return v >= 200 && v < 216;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../geometry/canonical-face.ts';
import { readRecord } from '../geometry/mesh-record.ts';
import type { LumaView } from '../frame/scene-cuts.ts';
import { GreyPatch, patchScale, SkinView } from './skin-patch.ts';
import { SkinRegistration } from './skin-shift.ts';
import { Settling } from './settling.ts';
import { createSteadyTools, SteadyTrack } from './steady-track.ts';
import { surfaceSamples, NODE_COUNT } from './surface-samples.ts';

const canonical = await loadCanonicalFace();
const samples = surfaceSamples(canonical);

const WIDTH = 320;
const HEIGHT = 300;
const SIZE = 170;
/** Centimetres of the canonical face to pixels. */
const SCALE = SIZE / 17.5;

/** Where a head is: pixels of its centre, and its tilt in radians. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly tilt: number;
}
const MIDDLE: Place = { x: 160.3, y: 150.8, tilt: 0.03 };

function meshAt({ x, y, tilt }: Place): Float32Array {
  const mesh = new Float32Array(468 * 3);
  for (let i = 0; i < mesh.length; i += 3) {
    const right = canonical.vertices[i]! * SCALE;
    const down = -canonical.vertices[i + 1]! * SCALE;
    mesh[i] = x + right * Math.cos(tilt) - down * Math.sin(tilt);
    mesh[i + 1] = y + right * Math.sin(tilt) + down * Math.cos(tilt);
    mesh[i + 2] = -canonical.vertices[i + 2]! * SCALE;
  }
  return mesh;
}

/** Skin-like grey at a place of the head, in pixels from its centre: freckles, folds and shade. */
function skin(right: number, down: number, who: number): number {
  return (
    130 +
    18 * Math.sin(right / 23 + who) +
    9 * Math.sin(right / 4.1 + 2 * who) * Math.sin(down / 5.3) +
    7 * Math.sin((right + down) / 7.7 + who) +
    6 * Math.cos((right - 2 * down) / 9.1)
  );
}

/** A picture of the head with noise; `light` changes its grey. */
function picture(
  { x, y, tilt }: Place,
  seed: number,
  { light = (grey: number): number => grey, who = 0, noise = 2 } = {},
): LumaView {
  const random = generator(seed);
  const data = new Uint8Array(WIDTH * HEIGHT);
  for (let row = 0; row < HEIGHT; row++) {
    for (let column = 0; column < WIDTH; column++) {
      const dx = column + 0.5 - x;
      const dy = row + 0.5 - y;
      const grey = skin(
        dx * Math.cos(tilt) + dy * Math.sin(tilt),
        dy * Math.cos(tilt) - dx * Math.sin(tilt),
        who,
      );
      data[row * WIDTH + column] = light(grey) + noise * (random() + random() + random() - 1.5);
    }
  }
  return { data, stride: WIDTH, width: WIDTH, height: HEIGHT };
}

function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function look(luma: LumaView, mesh: Float32Array, scale = patchScale(SIZE, null)): SkinView {
  const patch = new GreyPatch();
  patch.take(luma, { x: MIDDLE.x, y: MIDDLE.y, size: SIZE, points: new Int16Array(0) }, scale);
  const view = new SkinView(samples.count);
  view.read(samples, patch, mesh, SIZE);
  return view;
}

const SCALED = patchScale(SIZE, null);
/** How far the head goes between the two pictures of the tests below, pixels. */
const MOVED: Place = { x: MIDDLE.x + 1.1, y: MIDDLE.y - 0.8, tilt: MIDDLE.tilt + 0.006 };

/**
 * The mesh stays and the picture moves: what is found of it, off by how many pixels at every
 * vertex; smallest first.
 */
function errors(after: LumaView): number[] {
  const still = meshAt(MIDDLE);
  const before = look(picture(MIDDLE, 1), still, SCALED);
  const shift = new SkinRegistration(samples).shift(before, look(after, still, SCALED));
  assert.ok(shift);
  const moved = meshAt(MOVED);
  const { first, shares } = samples.landmarkNodes;
  const off: number[] = [];
  for (let v = 0; v < 468; v++) {
    for (const axis of [0, 1]) {
      let found = 0;
      for (let k = 0; k < 4; k++)
        found += shares[4 * v + k]! * shift[axis * NODE_COUNT + first[v]! + (k & 1) + (k >> 1) * 5]!;
      off.push(Math.abs(found - (moved[3 * v + axis]! - still[3 * v + axis]!)));
    }
  }
  return off.sort((a, b) => a - b);
}

test('a motion of the skin under the mesh is found to an eighth of a pixel anywhere on the face', () => {
  assert.ok(errors(picture(MOVED, 2)).at(-1)! < 0.125);
});

test('so it is when the light changes', () => {
  assert.ok(errors(picture(MOVED, 2, { light: (grey) => 0.88 * grey + 25 })).at(-1)! < 0.125);
});

test('a hand before a quarter of the face does not take the mesh along', () => {
  const after = picture(MOVED, 2);
  for (let row = 160; row < HEIGHT; row++) after.data.fill(60, row * WIDTH, row * WIDTH + 160);
  const off = errors(after);
  assert.ok(off[off.length >> 1]! < 0.08 && off.at(-1)! < 0.7, `${off[off.length >> 1]} to ${off.at(-1)}`);
});

test('another face, and one that nothing is seen of, tell nothing', () => {
  const still = meshAt(MIDDLE);
  const registration = new SkinRegistration(samples);
  const before = look(picture(MIDDLE, 1), still, SCALED);
  assert.equal(registration.shift(before, look(picture(MIDDLE, 2, { who: 2 }), still, SCALED)), null);
  const outside = meshAt({ x: -200, y: 0, tilt: 0 });
  assert.equal(registration.shift(before, look(picture(MIDDLE, 2), outside, SCALED)), null);
});

const FRAMES = 24;
const FROM = 5;

/** Follows a head along `path`; its landmarks are off by up to a pixel, in every frame again. */
function follow(path: (frame: number) => Place, isSeen: (frame: number) => boolean): Float32Array[] {
  const track = new SteadyTrack(createSteadyTools(samples));
  const random = generator(7);
  for (let frame = 0; frame < FRAMES; frame++) {
    const err = { x: 2 * random() - 1, y: 2 * random() - 1, tilt: 0.02 * (random() - 0.5) };
    const { x, y, tilt } = path(frame);
    const landmarks = meshAt({ x: x + err.x, y: y + err.y, tilt: tilt + err.tilt });
    const luma = picture(path(frame), 100 + frame, { who: isSeen(frame) ? 0 : frame });
    track.push(landmarks, luma, frame / 25);
  }
  assert.equal(track.length, FRAMES);
  track.end();
  return Array.from({ length: FRAMES }, (_, frame) =>
    readRecord(track.mesh(frame), new Float32Array(468 * 3)),
  );
}

/**
 * Errors of the meshes by their mean over the clip: what does not move on the face may be anywhere.
 */
function wander(meshes: readonly Float32Array[], path: (frame: number) => Place): number[] {
  const off = meshes.map((mesh, frame) => {
    const truth = meshAt(path(frame));
    return mesh.map((value, i) => (i % 3 === 2 ? 0 : value - truth[i]!));
  });
  const mean = off[0]!.map((_, i) => off.reduce((sum, error) => sum + error[i]!, 0) / FRAMES);
  return off.map((error) => Math.sqrt(error.reduce((sum, v, i) => sum + (v - mean[i]!) ** 2, 0) / 936));
}

const nodding = (frame: number): Place => ({
  x: MIDDLE.x + 9 * Math.sin(frame / 1.9),
  y: MIDDLE.y + 5 * Math.sin(frame / 2.7),
  tilt: 0.06 * Math.sin(frame / 3.3),
});
const jumping = (frame: number): Place => ({ ...MIDDLE, x: MIDDLE.x + (frame < 12 ? 0 : 9) });
const still = (): Place => MIDDLE;

test('a mesh stays where it is on the head, whose landmarks tremble by a pixel, while it nods and shakes', () => {
  const off = wander(
    follow(nodding, () => true),
    nodding,
  );
  assert.ok(Math.max(...off.slice(FROM, -FROM)) < 0.25, off.map((value) => value.toFixed(2)).join(' '));
});

test('a head that jumps takes the mesh along in the very frame', () => {
  const off = wander(
    follow(jumping, () => true),
    jumping,
  );
  for (const frame of [10, 11, 12, 13]) assert.ok(off[frame]! < 0.25, `${off[frame]} in frame ${frame}`);
});

test('where the skin cannot be seen the steadied landmarks hold, and nothing jumps', () => {
  const off = wander(
    follow(still, (frame) => frame < 10 || frame > 14),
    still,
  );
  assert.ok(Math.max(...off.slice(FROM, -FROM)) < 0.6, off.map((value) => value.toFixed(2)).join(' '));
});

test('the corrections follow a step of the shifts at once and come back to the landmarks slowly', () => {
  const settling = new Settling(1);
  for (let frame = 0; frame <= 40; frame++)
    settling.push(frame === 0 ? null : Float32Array.of(frame === 20 ? 1 : 0));
  const at = (frame: number): number => settling.at(frame)[0]!;
  assert.ok(at(20) - at(19) > 0.9 && Math.abs(at(20) + at(19)) < 0.1);
  for (let frame = 0; frame < 40; frame++)
    if (frame !== 19) assert.ok(Math.abs(at(frame + 1) - at(frame)) < 0.1);
  assert.ok(Math.abs(at(0)) < 0.1 && Math.abs(at(40)) < 0.1);
});

test('a frame is settled by the frames after it that are known, and sixteen of them are all that it takes', () => {
  const random = generator(3);
  const settling = new Settling(1);
  const early: number[] = [];
  for (let frame = 0; frame < 120; frame++) {
    settling.push(frame === 0 || frame % 17 === 0 ? null : Float32Array.of(random() - 0.5));
    if (frame >= 16) early.push(settling.at(frame - 16)[0]!);
  }
  const late = early.map((_, frame) => settling.at(frame)[0]!);
  const off = late.map((value, frame) => Math.abs(value - early[frame]!));
  assert.ok(Math.max(...off) < 0.06, `${Math.max(...off)}`);
  assert.ok(Math.max(...late.map(Math.abs)) > 0.5);
});

test('the last frame can be taken back', () => {
  const track = new SteadyTrack(createSteadyTools(samples));
  const luma = picture(MIDDLE, 1);
  for (let frame = 0; frame < 3; frame++) track.push(meshAt(MIDDLE), luma, frame / 25);
  track.pop();
  assert.equal(track.length, 2);
  track.end();
  assert.equal(track.length, 2);
  assert.ok(track.place(1).size > 100);
});

function away(a: Float32Array, b: Float32Array): number {
  return Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
}

test('a mesh can be asked for while the track goes on: steadied a few frames later, settled some more', () => {
  const track = new SteadyTrack(createSteadyTools(samples));
  const random = generator(7);
  const place = (): Place => ({ ...MIDDLE, x: MIDDLE.x + 2 * random() - 1 });
  for (let frame = 0; frame < FRAMES; frame++)
    track.push(meshAt(place()), picture(MIDDLE, 100 + frame), frame / 25);
  const of = (frame: number): Float32Array =>
    readRecord(track.mesh(frame), new Float32Array(468 * 3)).slice();
  const [settled, fresh] = [of(6), of(FRAMES - 2)];
  track.end();
  assert.ok(away(settled, of(6)) < 0.15, `${away(settled, of(6))}`);
  assert.ok(away(fresh, of(FRAMES - 2)) < 2.5, `${away(fresh, of(FRAMES - 2))}`);
});

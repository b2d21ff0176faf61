import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../geometry/canonical-face.ts';
import { QuietFace } from './quiet-face.ts';

const canonical = await loadCanonicalFace();
const SIZE = 200;
/** Centimetres of the canonical face to pixels. */
const SCALE = SIZE / 17.5;
/** Tremble of each landmark on a face of this size, pixels to either side. */
const TREMBLE = 0.25;
/** Right iris between these corners, left iris between those. */
const CORNERS = [
  [33, 133],
  [263, 362],
] as const;

/** What a face does in one frame. */
interface Moment {
  /** Motion of the head, pixels. */
  readonly x?: number;
  readonly y?: number;
  /** About the vertical axis, radians. */
  readonly yaw?: number;
  readonly zoom?: number;
  /** 0 open to 1 shut. */
  readonly lids?: number;
  /** 0 shut to 1 open. */
  readonly mouth?: number;
  /** -1 to 1, to the side. */
  readonly gaze?: number;
}

function faceOf(moment: Moment, random: () => number): Float32Array {
  const { x = 0, y = 0, yaw = 0, zoom = 1, lids = 0, mouth = 0, gaze = 0 } = moment;
  const mesh = new Float32Array(478 * 3);
  const at = canonical.vertices.slice();
  for (const [upper, lower] of [
    [159, 145],
    [386, 374],
  ] as const)
    at[3 * upper + 1]! += lids * (at[3 * lower + 1]! - at[3 * upper + 1]!);
  // 2 cm: what a syllable opens.
  for (const v of [14, 17, 152]) at[3 * v + 1]! -= 2 * mouth;
  for (let i = 0; i < at.length; i += 3) {
    const across = at[i]! * Math.cos(yaw) + at[i + 2]! * Math.sin(yaw);
    mesh[i] = 400 + x + zoom * SCALE * across;
    mesh[i + 1] = 300 + y - zoom * SCALE * at[i + 1]!;
  }
  for (const [eye, [a, b]] of CORNERS.entries()) {
    const iris = 3 * (468 + 5 * eye);
    const share = 0.5 + 0.2 * gaze;
    for (const k of [0, 1]) mesh[iris + k] = mesh[3 * a + k]! + share * (mesh[3 * b + k]! - mesh[3 * a + k]!);
  }
  for (let i = 0; i < mesh.length; i++) mesh[i]! += TREMBLE * (2 * random() - 1);
  return mesh;
}

function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const evenly =
  (perSecond: number) =>
  (frame: number): number =>
    frame / perSecond;

/** Looks at a clip as a reader does. @returns the frames that are left unread */
function leftFrames(
  frames: number,
  timeOf: (frame: number) => number,
  momentAt: (seconds: number, frame: number) => Moment,
): Set<number> {
  const random = generator(11);
  const quiet = new QuietFace();
  const left = new Set<number>();
  const read = (frame: number): void => {
    const seconds = timeOf(frame);
    quiet.read(frame, seconds, faceOf(momentAt(seconds, frame), random), SIZE);
  };
  for (let frame = 0; frame < frames; frame++) {
    if (!quiet.isQuiet || frame + 1 === frames) {
      read(frame);
      continue;
    }
    read(frame + 1);
    if (quiet.isQuiet) left.add(frame);
    frame += 1;
  }
  return left;
}

/** How far a value is from the mean of its neighbours', at worst, in the frames that were left. */
function worstGuess(left: ReadonlySet<number>, valueAt: (frame: number) => number): number {
  return Math.max(0, ...[...left].map((f) => Math.abs(valueAt(f) - (valueAt(f - 1) + valueAt(f + 1)) / 2)));
}

test('of a still face, whose landmarks tremble, every second frame is left', () => {
  for (const perSecond of [24, 25, 30, 60]) {
    const left = leftFrames(4 * perSecond, evenly(perSecond), () => ({}));
    assert.ok(left.size > 1.75 * perSecond, `${left.size} of ${4 * perSecond}`);
    for (const frame of left) assert.ok(!left.has(frame + 1));
  }
});

test('so it is while the head goes, turns and comes nearer evenly, whatever the face looks like', () => {
  const left = leftFrames(100, evenly(25), (seconds) => ({
    x: 60 * seconds,
    y: -30 * seconds,
    yaw: -0.5 + 0.25 * seconds,
    zoom: 0.9 + 0.05 * seconds,
    mouth: 0.6,
    lids: 0.3,
  }));
  assert.ok(left.size > 43, `${left.size}`);
});

test('and when its frames come at uneven times', () => {
  const random = generator(5);
  const times = Array.from({ length: 120 }, (_, frame) => (frame + 0.6 * random()) / 30);
  const left = leftFrames(
    120,
    (frame) => times[frame]!,
    (seconds) => ({ x: 150 * seconds }),
  );
  assert.ok(left.size > 50, `${left.size}`);
});

test('of a blink between calm moments nothing is lost, whichever frame it begins in', () => {
  for (const shut of [
    [0.6, 0.6],
    [0.5, 1, 0.5],
    [0.7, 1, 0.8, 0.3],
    [0.4, 1, 1, 0.6, 0.2],
  ]) {
    for (let begin = 30; begin < 34; begin++) {
      const lids = (frame: number): number => shut[frame - begin] ?? 0;
      const left = leftFrames(80, evenly(30), (_, frame) => ({ lids: lids(frame) }));
      assert.ok(worstGuess(left, lids) < 0.12, `${shut.join(' ')} from ${begin}`);
      assert.ok(left.size > 24, `${left.size}`);
    }
  }
});

test('of lips that close for two frames, or open for two, nothing is lost', () => {
  for (const rest of [0.5, 0]) {
    for (let begin = 30; begin < 34; begin++) {
      const mouth = (frame: number): number => (frame === begin || frame === begin + 1 ? 0.5 - rest : rest);
      const left = leftFrames(80, evenly(25), (_, frame) => ({ mouth: mouth(frame) }));
      assert.ok(worstGuess(left, mouth) < 0.12);
      assert.ok(left.size > 24, `${left.size}`);
    }
  }
});

test('a glance to the side is read in the frame it happens', () => {
  for (let begin = 30; begin < 34; begin++) {
    const gaze = (frame: number): number => (frame < begin ? -0.7 : 0.7);
    const left = leftFrames(80, evenly(30), (_, frame) => ({ gaze: gaze(frame) }));
    assert.equal(worstGuess(left, gaze), 0);
    assert.ok(left.size > 24, `${left.size}`);
  }
});

test('of a talking face, and of a head that shakes, every frame is read once that has begun', () => {
  const talking = leftFrames(150, evenly(30), (seconds) => ({
    mouth: seconds < 1 ? 0 : 0.3 - 0.3 * Math.cos(2 * Math.PI * 4 * (seconds - 1)),
  }));
  const shaking = leftFrames(150, evenly(30), (seconds) => ({
    x: seconds < 1 ? 0 : 16 * Math.sin(2 * Math.PI * 2 * (seconds - 1)),
  }));
  for (const left of [talking, shaking]) {
    assert.ok(left.has(27) || left.has(28));
    assert.deepEqual(
      [...left].filter((frame) => frame > 30),
      [],
    );
  }
});

test('where frames are far apart none is left', () => {
  assert.equal(leftFrames(100, evenly(15), () => ({})).size, 0);
  const left = leftFrames(
    80,
    (frame) => frame / 30 + (frame >= 41 ? 0.1 : 0),
    () => ({}),
  );
  for (const frame of [40, 41]) assert.ok(!left.has(frame));
  assert.ok(left.has(35) || left.has(36));
});

test('a face is not quiet at first, nor where frames in between were missed', () => {
  for (const perSecond of [30, 120]) {
    const quiet = new QuietFace();
    const random = generator(3);
    const isQuietAfter = (frame: number): boolean => {
      quiet.read(frame, frame / perSecond, faceOf({}, random), SIZE);
      return quiet.isQuiet;
    };
    const first = 0.2 * perSecond + 3;
    for (let frame = 0; frame < first; frame++) assert.ok(!isQuietAfter(frame), `frame ${frame}`);
    for (let frame = first; frame < 60; frame++) isQuietAfter(frame);
    assert.ok(quiet.isQuiet);
    for (const frame of [63, 64, 65, 66]) assert.ok(!isQuietAfter(frame), `frame ${frame}`);
  }
});

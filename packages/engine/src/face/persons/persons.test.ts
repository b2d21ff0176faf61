import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClipFaces, FaceTrack } from '../track/face-track.ts';
import { recordMesh } from '../geometry/mesh-record.ts';
import { PersonTimeline } from './person-timeline.ts';
import { findPersons, isOf } from './persons.ts';

const RATE = 25;

function mesh(x: number, size: number) {
  const points = new Float32Array(468 * 3);
  for (let v = 0; v < 468; v++) {
    points[3 * v] = x + ((v % 22) / 21 - 0.5) * size;
    points[3 * v + 1] = 300 + (Math.floor(v / 22) / 21 - 0.5) * size;
  }
  return recordMesh(points);
}

/**
 * A face that stands at `x` for `frames` frames; `who` is its identity, null where it was never
 * seen well.
 */
function track(firstFrame: number, frames: number, x: number, who: number | null, size = 100): FaceTrack {
  const embedding = new Float32Array(128);
  if (who !== null) embedding[who] = 1;
  return {
    firstFrame,
    length: frames,
    place: () => mesh(x, size),
    mesh: () => mesh(x, size),
    embeddings: who === null ? [] : [embedding],
    presence: (size * size * frames) / RATE,
    litFrom: 0,
  };
}

function clip(frames: number, tracks: readonly FaceTrack[], cuts: readonly number[] = []): ClipFaces {
  const times = Array.from({ length: frames }, (_, i) => i / RATE);
  return { tracks, times, cuts: new Set(cuts) };
}

function swappedFrames(faces: ClipFaces): string {
  const timeline = new PersonTimeline(faces, findPersons(faces)[0]!);
  return faces.times
    .map((_, frame) => {
      const face = timeline.at(frame);
      return face === null ? '.' : face.isBridged ? 'b' : face.opacity < 1 ? 'f' : 'x';
    })
    .join('');
}

test('the primary person has the largest face over the longest time, whoever is first', () => {
  const faces = clip(100, [track(0, 100, 200, 1, 80), track(0, 100, 700, 2, 120), track(0, 10, 450, 3, 200)]);
  assert.equal(findPersons(faces)[0]!.tracks[0], faces.tracks[1]);
});

test('a person is the same one after a cut, elsewhere in the picture', () => {
  const faces = clip(120, [track(0, 40, 200, 1), track(40, 40, 500, 2), track(80, 40, 800, 1)], [40, 80]);
  assert.deepEqual(findPersons(faces)[0]!.tracks, [faces.tracks[0], faces.tracks[2]]);
  assert.equal(swappedFrames(faces), 'x'.repeat(40) + '.'.repeat(40) + 'x'.repeat(40));
});

test('faces seen together are two people, however alike they look', () => {
  const faces = clip(50, [track(0, 50, 200, 1), track(0, 50, 700, 1)]);
  assert.equal(findPersons(faces).length, 2);
});

test('a face that comes back at once at its place is the same one, even if it was never seen well', () => {
  const near = clip(60, [track(0, 30, 200, 1), track(35, 25, 210, null)]);
  assert.equal(findPersons(near).length, 1);
  const elsewhere = clip(60, [track(0, 30, 200, 1), track(35, 25, 700, null)]);
  assert.equal(findPersons(elsewhere).length, 2);
  const stranger = clip(60, [track(0, 30, 200, 1), track(35, 25, 210, 2)]);
  assert.equal(findPersons(stranger).length, 2);
});

test('a track is told to be of a person while the clip goes on as at its end', () => {
  const tracks = [track(0, 40, 200, 1), track(40, 40, 500, 2), track(80, 40, 800, 1), track(90, 30, 300, 1)];
  const faces = clip(120, tracks, [40, 80]);
  const is = (index: number, ...others: number[]): boolean =>
    isOf(
      faces,
      tracks[index]!,
      others.map((other) => tracks[other]!),
    );
  assert.deepEqual([is(1, 0), is(2, 0), is(3, 0), is(3, 0, 2)], [false, true, true, false]);
});

test('a gap of up to half a second is bridged', () => {
  const faces = clip(60, [track(0, 30, 200, 1), track(40, 20, 220, 1)]);
  assert.equal(swappedFrames(faces), 'x'.repeat(30) + 'b'.repeat(10) + 'x'.repeat(20));
  const person = findPersons(faces)[0]!;
  const middle = new PersonTimeline(faces, person).at(34)!;
  assert.ok(Math.abs(middle.mesh.x - 209) < 3, 'it moves from the one place to the other');
});

test('a longer gap passes through, faded at both ends', () => {
  const faces = clip(80, [track(0, 30, 200, 1), track(50, 30, 200, 1)]);
  assert.match(swappedFrames(faces), /^x{26,28}f{2,4}\.{20}f{2,4}x{26,28}$/);
});

test('nothing is bridged or faded over a cut', () => {
  const faces = clip(60, [track(0, 30, 200, 1), track(36, 24, 200, 1)], [33]);
  assert.match(swappedFrames(faces), /^x+f+\.{6}f+x+$/);
  const hard = clip(60, [track(0, 30, 200, 1), track(30, 30, 600, 1)], [30]);
  assert.equal(swappedFrames(hard), 'x'.repeat(60));
});

test('a find of one or two frames far from any other is no face', () => {
  const faces = clip(60, [track(0, 30, 200, 1), track(50, 2, 700, 1)]);
  assert.match(swappedFrames(faces), /^x+f+\.{30}$/);
});

test('what a part of a clip tells of a frame is what all of it tells, with half a second known after the frame', () => {
  const tracks = [
    track(0, 30, 200, 1),
    track(40, 20, 220, 1),
    track(62, 2, 900, 3),
    track(80, 40, 210, 1),
    track(120, 30, 700, 1),
  ];
  const whole = clip(150, tracks, [120]);
  const person = { tracks: tracks.filter((_, i) => i !== 2) };
  const timeline = new PersonTimeline(whole, person);
  for (let frame = 0; frame < 150; frame++) {
    const known = clip(Math.min(150, frame + 14), tracks, [120]);
    const part = new PersonTimeline(known, person, Math.max(0, frame - 26));
    assert.deepEqual(part.at(frame), timeline.at(frame), `frame ${frame}`);
    assert.equal(part.opacityAt(frame), timeline.opacityAt(frame));
  }
});

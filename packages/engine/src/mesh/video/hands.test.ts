import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { VideoFrame } from '../../face/frame/video-frame.ts';
import type { HandFinder, HandPlace } from '../../face/geometry/hand.ts';
import { openHand } from '../testing/painted-hand.ts';
import { TrackHands } from './hands.ts';

const canonical = await loadCanonicalFace();
const FACE = 240;
const rect = { x: 600, y: 400, width: FACE, height: FACE };
const landmarks = new Float32Array(478 * 3);
for (let v = 0; v < 468; v++)
  landmarks.set([canonical.uv[2 * v]! * FACE, canonical.uv[2 * v + 1]! * FACE], 3 * v);
const FRAME_SECONDS = 0.04;

/** A grey frame without any detail. */
const frame = {
  width: 1920,
  height: 1080,
  reducedRegion: ({ width, height }: { width: number; height: number }, factor: number) => {
    const size = { width: Math.floor(width / factor), height: Math.floor(height / factor) };
    return { ...size, data: new Uint8Array(3 * size.width * size.height) };
  },
} as unknown as VideoFrame;

/** Makes a finder that records its calls and finds nothing by itself. */
function finderOf(skinShare: () => number) {
  const asked = { searches: 0, looks: 0, follows: 0 };
  const finder: HandFinder = {
    find: async (_pyramid, _landmarks, known = [], isWorthLooking = () => true) => {
      asked.searches += 1;
      const place = { index: 0, skinShare: skinShare() } as HandPlace;
      if (isWorthLooking(place)) asked.looks += 1;
      return [...known];
    },
    follow: async (_pyramid, known) => {
      asked.follows += known.length;
      return [...known];
    },
  };
  return { asked, finder };
}

async function run(hands: TrackHands, frames: number, isFirst = true): Promise<void> {
  for (let k = 0; k < frames; k++)
    await hands.follow(frame, rect, landmarks, FRAME_SECONDS, isFirst && k === 0);
}

test('a still face is searched every few frames, and the network seldom asked', async () => {
  const { asked, finder } = finderOf(() => 0.2);
  await run(new TrackHands(finder), 30);
  assert.ok(asked.searches >= 6 && asked.searches <= 10, `${asked.searches} searches`);
  assert.equal(asked.looks, 2, 'once, and once more as if it had been moving');
});

test('skin that comes or goes beside a face is looked at', async () => {
  let share = 0.1;
  const { asked, finder } = finderOf(() => share);
  const hands = new TrackHands(finder);
  await run(hands, 30);
  const before = asked.looks;
  share = 0.2;
  await run(hands, 8, false);
  assert.equal(asked.looks - before, 2);
});

test('a background that never rests is looked at a few times, then about once a second', async () => {
  let frames = 0;
  const { asked, finder } = finderOf(() => (frames++ % 2 === 0 ? 0.2 : 0.4));
  const hands = new TrackHands(finder);
  await run(hands, 10);
  assert.equal(asked.looks, 6, 'a hand that comes is looked for in every frame');
  await run(hands, 250, false);
  assert.ok(asked.looks >= 9 && asked.looks <= 16, `${asked.looks} looks in ten seconds`);
});

test('a hand is followed in every frame, in pixels of the drawn part', async () => {
  const { finder, asked } = finderOf(() => 0.2);
  const hand = openHand(200, 150, 30);
  const hands = new TrackHands({ ...finder, find: async () => [hand] });
  const [first] = await hands.follow(frame, rect, landmarks, FRAME_SECONDS, true);
  const [followed] = await hands.follow(frame, rect, landmarks, FRAME_SECONDS, false);
  assert.equal(asked.follows, 1);
  assert.deepEqual(followed, first);
  const palm = Math.abs(first!.landmarks[1]! - first!.landmarks[2 * 9 + 1]!);
  assert.ok(palm >= 30 && palm <= 30 * 4, `${palm}`);
  await hands.follow(frame, rect, landmarks, FRAME_SECONDS, true);
  assert.equal(asked.follows, 1, 'a new scene forgets it');
});

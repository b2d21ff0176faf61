import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import { fixture, skipWithoutFixtures } from '../../../../../scripts/fixtures.ts';
import { readRgb } from '../../../../../scripts/read-rgb.ts';
import { createFaceAnalyser } from '../detect/analyser.ts';
import { largestFace } from '../detect/largest-face.ts';
import type { Hand } from '../geometry/hand.ts';
import { sessions } from '../../models/testing/test-sessions.ts';

const analyser = createFaceAnalyser(sessions);

async function handsIn(file: string) {
  const image = await readRgb(fixture(file), { longest: 1200 });
  const face = largestFace(await analyser.detect(image))!;
  const pyramid = pyramidOf(image);
  return { face, pyramid, hands: await analyser.hands.find(pyramid, face.landmarks) };
}

const wristOf = ({ landmarks }: Hand): readonly [number, number] => [landmarks[0]!, landmarks[1]!];

test(
  'hands beside, before and below a face are found, with the wrist below',
  { skip: skipWithoutFixtures },
  async () => {
    for (const [file, count] of [
      ['portraits/p33_portigal_hands_glasses.jpg', 2],
      ['portraits/p56_yoz_hand.jpg', 1],
      ['portraits/p53_julia_occluded.jpg', 1],
      ['portraits/p22_oskow_hand_chin.jpg', 1],
    ] as const) {
      const { hands, face } = await handsIn(file);
      assert.equal(hands.length, count, file);
      for (const hand of hands) assert.ok(wristOf(hand)[1] > face.box.y + face.box.height / 2, file);
    }
  },
);

test(
  'faces without hands have none, bare shoulders and other faces or not',
  { skip: skipWithoutFixtures },
  async () => {
    for (const file of [
      'portraits/p14_miatta_darkskin.png',
      'portraits/p16_ponce_highkey.png',
      'portraits/p17a_kate_glasses_hires.jpg',
      'portraits/p30_strenio_outdoor.jpg',
    ]) {
      assert.equal((await handsIn(file)).hands.length, 0, file);
    }
  },
);

test(
  'a hand is followed to where it is, and dropped where there is none',
  { skip: skipWithoutFixtures },
  async () => {
    const { pyramid, hands, face } = await handsIn('portraits/p56_yoz_hand.jpg');
    const [hand] = hands;
    const step = 0.15 * face.box.width;
    const moved = { ...hand!, landmarks: hand!.landmarks.map((value) => value + step) };
    const [found] = await analyser.hands.follow(pyramid, [moved]);
    const off = Math.hypot(wristOf(found!)[0] - wristOf(hand!)[0], wristOf(found!)[1] - wristOf(hand!)[1]);
    assert.ok(off < step, `${off} px from where it was found`);
    const away = {
      ...hand!,
      landmarks: hand!.landmarks.map((v, k) => v + (k % 2 === 0 ? 1.2 : -0.2) * face.box.width),
    };
    assert.deepEqual(await analyser.hands.follow(pyramid, [away]), []);
  },
);

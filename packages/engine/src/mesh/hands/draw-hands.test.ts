import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHand } from '../testing/painted-hand.ts';
import { drawHands, reachesInto } from './draw-hands.ts';

const PALM = 100;
const hand = openHand(150, 300, PALM);
const SIZE = 320;
const whole = { x: 0, y: 0, scale: 1, width: SIZE, height: SIZE };

function drawn(thickness: number, place = whole): (x: number, y: number) => number {
  const { data, width } = drawHands([hand], place, thickness);
  return (x, y) => data[3 * (y * width + x)]! / 255;
}

test('joints and the palm are hand, what is between the fingers and beside them is not', () => {
  const at = drawn(1);
  for (let joint = 0; joint < 21; joint++)
    assert.equal(at(Math.floor(hand.landmarks[2 * joint]!), Math.floor(hand.landmarks[2 * joint + 1]!)), 1);
  assert.equal(at(150, 250), 1, 'palm');
  // Two fingers are a quarter of a palm apart, and half as thick as that.
  const tip = hand.landmarks[2 * 8 + 1]!;
  assert.equal(at(Math.round((hand.landmarks[2 * 8]! + hand.landmarks[2 * 12]!) / 2), Math.round(tip)), 0);
  assert.equal(at(20, 20), 0);
  assert.equal(at(300, 250), 0);
});

test('a thicker hand covers more, and a part of the picture is drawn at its scale', () => {
  const beside = [
    Math.round(hand.landmarks[2 * 20]! + 0.11 * PALM),
    Math.round(hand.landmarks[2 * 19 + 1]!),
  ] as const;
  assert.equal(drawn(0.8)(...beside), 0);
  assert.equal(drawn(1.5)(...beside), 1);
  const half = drawn(1, { x: 100, y: 200, scale: 0.5, width: 60, height: 60 });
  assert.equal(half(25, 25), 1, 'the middle of the palm');
  assert.equal(half(55, 5), 0);
});

test('a hand reaches into a box that one of its joints lies in or near', () => {
  const face = { left: 0, top: 0, right: 100, bottom: 100 };
  assert.equal(reachesInto(openHand(150, 300, PALM), face, 15), false);
  assert.equal(reachesInto(openHand(130, 270, PALM), face, 15), true);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GifClock, gifSize } from './gif-from-video.ts';
import { MAX_GIF_TOTAL_PIXELS } from './probe-gif.ts';

/**
 * Counts the pictures that are taken of `seconds` of film at `rate`, if its header says `claimed`.
 */
function kept(rate: number, claimed: number, seconds: number): number {
  const clock = new GifClock(claimed);
  let count = 0;
  for (let index = 0; index < rate * seconds; index++) if (clock.keeps(index / rate)) count += 1;
  return count;
}

test('all pictures up to 30 a second are taken, of faster films every second or third, evenly', () => {
  assert.equal(kept(25, 25, 30), 750);
  assert.equal(kept(30, 30, 30), 900);
  assert.equal(kept(29.97, 29.97, 10), 300);
  assert.equal(kept(33, 33, 30), 495);
  assert.equal(kept(60, 60, 30), 900);
  assert.equal(kept(240, 240, 30), 900);
});

test('whatever a film says of its rate, the largest GIF of 30 seconds stays within the limit on its pixels', () => {
  const { width, height } = gifSize(3840, 2160, {});
  for (const claimed of [0, 1, 24, 30, 1000]) {
    for (const rate of [10, 32, 33, 48, 50, 60, 120, 240]) {
      const frames = kept(rate, claimed, 30);
      assert.ok(frames * width * height <= MAX_GIF_TOTAL_PIXELS, `${rate} called ${claimed}: ${frames}`);
    }
  }
  // Not by leaving nearly everything out.
  assert.ok(kept(60, 0, 30) >= 900);
});

test('a moment of many pictures in a slow film may be shown, as long as the whole is not too much', () => {
  const clock = new GifClock(20);
  const times = [
    ...Array.from({ length: 100 }, (_, i) => i / 15),
    ...Array.from({ length: 60 }, (_, i) => 7 + i / 60),
  ];
  assert.equal(times.filter((seconds) => clock.keeps(seconds)).length, times.length);
});

test('pictures closer than a browser can show keep two hundredths each', () => {
  const clock = new GifClock(20);
  assert.equal(clock.delayCs(1, 1.001), 2);
  assert.equal(clock.delayCs(0.033, 0.066), 4);
});

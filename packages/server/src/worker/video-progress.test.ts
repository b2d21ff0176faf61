import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VideoProgress } from './video-progress.ts';

const FRAMES = 200;

/** Progress after every frame looked at, then after every frame drawn. */
function told(firstFace: number): number[] {
  const progress = new VideoProgress();
  const steps = [];
  for (let frame = 1; frame <= FRAMES; frame++) steps.push(progress.look(frame / FRAMES, frame > firstFace));
  if (firstFace < FRAMES)
    for (let frame = 1; frame <= FRAMES; frame++) steps.push(progress.draw(frame / FRAMES));
  return steps;
}

test('progress never falls and ends at 1, whenever the first face is seen', () => {
  for (const firstFace of [0, 1, 90, 198, 199]) {
    const steps = told(firstFace);
    for (const [i, step] of steps.entries())
      assert.ok(i === 0 || step >= steps[i - 1]!, `${firstFace}: ${i}`);
    assert.equal(steps.at(-1), 1);
  }
});

test('with a face from the start the look is a quarter of the way', () => {
  assert.ok(Math.abs(told(0)[FRAMES - 1]! - 0.25) < 0.01);
});

test('without a face the look is all of the way: half of it is half of the time', () => {
  const steps = told(FRAMES);
  assert.ok(Math.abs(steps[FRAMES / 2 - 1]! - 0.5) < 0.01);
  assert.ok(steps.at(-1)! > 0.97);
});

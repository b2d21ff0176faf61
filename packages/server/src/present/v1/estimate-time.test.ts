import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '../../tasks/task.ts';
import { estimateBatchSeconds, estimateVideoSeconds, remainingSeconds } from './estimate-time.ts';

const startedAt = new Date('2026-08-14T12:00:00Z');

/**
 * What is told of a job estimated at 40 seconds that takes half a second to start and then
 * `seconds`, at every percent.
 */
function told(seconds: number): number[] {
  return Array.from({ length: 100 }, (_, percent) => {
    const progress = percent / 100;
    const task = { progress, startedAt, parameters: { estimated_time: 40 } } as unknown as Task;
    return remainingSeconds(task, new Date(startedAt.getTime() + 500 + 1000 * seconds * progress));
  });
}

test('first the estimate, from a tenth on the pace: it shrinks with every second, and is right', () => {
  for (const seconds of [10, 40, 80, 400]) {
    const remaining = told(seconds);
    assert.equal(remaining[0], 40);
    for (const [percent, each] of remaining.entries()) {
      if (percent < 10) continue;
      if (percent > 10) assert.ok(each <= remaining[percent - 1]!, `${seconds} s: ${remaining}`);
      const right = seconds * (1 - percent / 100);
      assert.ok(
        each >= right - 0.01 && each < right + 1.01,
        `${seconds} s, ${percent} %: ${each}, not ${right}`,
      );
    }
  }
});

test('a slow start is not taken for the pace', () => {
  const task = { progress: 0.02, startedAt, parameters: { estimated_time: 3 } } as unknown as Task;
  assert.ok(remainingSeconds(task, new Date(startedAt.getTime() + 600)) <= 4);
});

test('an estimate is whole seconds, grows with the work and is never 0', () => {
  assert.equal(estimateBatchSeconds(1), 1);
  assert.equal(estimateBatchSeconds(100), 31);
  assert.equal(estimateVideoSeconds(1, { width: 64, height: 64 }), 1);
  assert.equal(estimateVideoSeconds(300, { width: 1280, height: 720 }), 13);
});

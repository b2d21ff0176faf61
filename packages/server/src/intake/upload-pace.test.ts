import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIN_BYTES_PER_SECOND, UploadPace } from './upload-pace.ts';

/** The first second, counted from 1, after which the upload is too slow; null where it never is. */
function firstSlowSecond(bytesPerSecond: number, isWaiting = true): number | null {
  const pace = new UploadPace();
  for (let second = 1; second <= 1000; second += 1) {
    pace.arrived(bytesPerSecond);
    if (pace.second(isWaiting)) return second;
  }
  return null;
}

test('32 KiB a second are enough, a byte less is not once 30 seconds have passed', () => {
  assert.equal(firstSlowSecond(MIN_BYTES_PER_SECOND), null);
  assert.equal(firstSlowSecond(MIN_BYTES_PER_SECOND - 1), 31);
  assert.equal(firstSlowSecond(0), 31);
});

test('what counts is the average: a quick start makes up for a slow end', () => {
  const pace = new UploadPace();
  pace.arrived(100 * MIN_BYTES_PER_SECOND);
  let seconds = 0;
  while (!pace.second(true)) seconds += 1;
  assert.equal(seconds, 100);
});

test('seconds in which the client waits for the service are not the client’s', () => {
  assert.equal(firstSlowSecond(0, false), null);
});

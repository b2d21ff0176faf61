import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLeft } from './time-left.ts';

const START = '2026-01-01T00:00:00.000Z';
const after = (seconds: number): number => Date.parse(START) + seconds * 1000;

test('the time that is left follows from the work so far', () => {
  assert.equal(timeLeft({ progress: 0.5, startedAt: START }, after(20)), '20 s');
  assert.equal(timeLeft({ progress: 0.1, startedAt: START }, after(60)), '9 min');
});

test('nothing is said as long as little is known, and at the end', () => {
  assert.equal(timeLeft({ progress: 0.01, startedAt: START }, after(20)), null);
  assert.equal(timeLeft({ progress: 0.5, startedAt: null }, after(20)), null);
  assert.equal(timeLeft({ progress: 1, startedAt: START }, after(20)), null);
});

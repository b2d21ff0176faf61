import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LanePace } from './lane-pace.ts';

test('the pace of a lane is that of its last tasks, by their credits', () => {
  const pace = new LanePace();
  assert.equal(pace.secondsPerCredit('short'), null);
  pace.note('short', { seconds: 0.3, credits: 3 });
  pace.note('short', { seconds: 0.1, credits: 0 });
  assert.ok(Math.abs(pace.secondsPerCredit('short')! - 0.1) < 1e-9);
  for (let i = 0; i < 200; i++) pace.note('short', { seconds: 2, credits: 4 });
  assert.ok(Math.abs(pace.secondsPerCredit('short')! - 0.5) < 1e-3);
  assert.equal(pace.secondsPerCredit('long'), null);
});

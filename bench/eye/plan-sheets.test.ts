import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planSheets } from './plan-sheets.ts';

const PAIRS = Array.from({ length: 120 }, (_, at) => `pair${at}`);

test('every pair is shown, twelve are shown twice, and only the second showing is a repeat', () => {
  const sheets = planSheets(PAIRS, 12, 1);
  assert.equal(sheets.length, 132);
  assert.deepEqual(
    sheets.map(({ number }) => number),
    sheets.map((_, at) => at + 1),
  );
  const firsts = sheets.filter(({ isRepeat }) => !isRepeat).map(({ pair }) => pair);
  assert.deepEqual(firsts.toSorted(), PAIRS.toSorted());
  for (const { number, pair, isRepeat } of sheets) {
    if (isRepeat) assert.ok(sheets.some((other) => other.pair === pair && other.number < number));
  }
});

test('the seed determines the order and the sides', () => {
  assert.deepEqual(planSheets(PAIRS, 12, 5), planSheets(PAIRS, 12, 5));
  assert.notDeepEqual(planSheets(PAIRS, 12, 5), planSheets(PAIRS, 12, 6));
});

test('each sheet has both versions, and neither is always picture 1', () => {
  const sheets = planSheets(PAIRS, 12, 2);
  for (const { versions } of sheets) assert.deepEqual(versions.toSorted(), ['new', 'old']);
  const oldFirst = sheets.filter(({ versions }) => versions[0] === 'old').length;
  assert.ok(oldFirst > 40 && oldFirst < 92, `${oldFirst} of ${sheets.length}`);
});

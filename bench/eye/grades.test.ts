import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGood, medianGrade, parseGrading } from './grades.ts';

test('the median is the middle grade, for an even number the worse one, and null without grades', () => {
  assert.equal(medianGrade(['D4', 'A1', 'B5']), 'B4');
  assert.equal(medianGrade(['A5', 'C3']), 'C3');
  assert.equal(medianGrade(['C1']), 'C1');
  assert.equal(medianGrade([]), null);
});

test('a picture is good if it has no seam and looks like the source', () => {
  assert.deepEqual(
    ['A4', 'B5', 'B3', 'C5', 'D1'].map((grade) => isGood(grade as never)),
    [true, true, false, false, false],
  );
});

test('a grading written by hand is read', () => {
  const grading = { grader: 'one', seed: 7, grades: { 1: ['A5', 'D1'], 2: [null, 'B4'] } };
  assert.deepEqual(parseGrading(JSON.stringify(grading), 7), grading);
});

test('grades of other sheets, unknown grades and single grades are refused with a message', () => {
  assert.throws(() => parseChanged({ seed: 8 }), /one graded seed 8, these sheets are of seed 7/);
  assert.throws(() => parseChanged({ grades: { 12: ['A5', 'E5'] } }), /one, sheet 12/);
  assert.throws(() => parseChanged({ grades: { 12: ['A5'] } }), /one, sheet 12/);
  assert.throws(() => parseChanged({ grader: '' }), /grader must be a name/);
});

function parseChanged(change: object): unknown {
  return parseGrading(JSON.stringify({ grader: 'one', seed: 7, grades: {}, ...change }), 7);
}

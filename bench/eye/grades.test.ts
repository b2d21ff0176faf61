import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medianGrade, parseGrading } from './grades.ts';

test('the median is the middle grade, the worse one of an even number, and none of none', () => {
  assert.equal(medianGrade(['D', 'A', 'B']), 'B');
  assert.equal(medianGrade(['A', 'C']), 'C');
  assert.equal(medianGrade(['C']), 'C');
  assert.equal(medianGrade([]), null);
});

test('a grading written by hand is read', () => {
  const grading = { grader: 'one', seed: 7, grades: { 1: ['A', 'D'], 2: [null, 'B'] } };
  assert.deepEqual(parseGrading(JSON.stringify(grading), 7), grading);
});

test('grades of other sheets, unknown grades and single grades are refused by name', () => {
  assert.throws(() => parseChanged({ seed: 8 }), /one graded seed 8, these sheets are of seed 7/);
  assert.throws(() => parseChanged({ grades: { 12: ['A', 'E'] } }), /one, sheet 12/);
  assert.throws(() => parseChanged({ grades: { 12: ['A'] } }), /one, sheet 12/);
  assert.throws(() => parseChanged({ grader: '' }), /grader must be a name/);
});

function parseChanged(change: object): unknown {
  return parseGrading(JSON.stringify({ grader: 'one', seed: 7, grades: {}, ...change }), 7);
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grading, SheetGrades } from './grades.ts';
import type { Key } from './key.ts';
import { graderAgreement, missingGrades, repeatAgreement, verdictsOf } from './verdicts.ts';

const REVISION = { engineVersion: '0.0.0+0', commit: '0' };
const KEY: Key = {
  seed: 1,
  list: 'hard',
  pairsSha256: '',
  revisions: { old: REVISION, new: REVISION },
  refused: { old: [], new: ['y'] },
  sheets: [
    { number: 1, pair: 'x', versions: ['new', 'old'], isRepeat: false },
    { number: 2, pair: 'y', versions: ['old', 'new'], isRepeat: false },
    { number: 3, pair: 'x', versions: ['old', 'new'], isRepeat: true },
  ],
};

function grading(...sheets: SheetGrades[]): Grading {
  return { grader: 'one', seed: 1, grades: Object.fromEntries(sheets.map((each, at) => [at + 1, each])) };
}

const GRADINGS = [
  grading(['A5', 'C3'], ['B4', null], ['C3', 'B4']),
  grading(['A5', 'D2'], ['B4', null], ['C3', 'D2']),
  grading(['B4', 'C3'], ['D2', null], ['C3', 'D2']),
];

test('a verdict is the median grade of the version that made the picture', () => {
  assert.deepEqual(verdictsOf(KEY, GRADINGS), [
    { pair: 'x', isRepeat: false, grades: { old: 'C3', new: 'A5' } },
    { pair: 'y', isRepeat: false, grades: { old: 'B4', new: null } },
    { pair: 'x', isRepeat: true, grades: { old: 'C3', new: 'D2' } },
  ]);
});

test('pairs shown twice are compared by version, on either side of the sheet', () => {
  assert.deepEqual(repeatAgreement(KEY, GRADINGS), {
    pictures: 2,
    seam: { same: 1, withinOne: 1 },
    likeness: { same: 1, withinOne: 1 },
  });
});

test('graders are compared two by two', () => {
  assert.deepEqual(graderAgreement(KEY, GRADINGS.slice(0, 2)), {
    pictures: 5,
    seam: { same: 3, withinOne: 4 },
    likeness: { same: 3, withinOne: 4 },
  });
  assert.equal(graderAgreement(KEY, GRADINGS).pictures, 15);
});

test('pictures without a grade are listed, but not refused ones', () => {
  assert.deepEqual(missingGrades(KEY, grading(['A5', 'B4'], ['A5', null])), [
    '3 (picture 1)',
    '3 (picture 2)',
  ]);
});

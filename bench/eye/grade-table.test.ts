import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTable, tableRows } from './grade-table.ts';
import type { Pair } from './pair-list.ts';

const FILES = { source: 'a', target: 'b' };
const PAIRS: Pair[] = [
  { id: 'x', kind: 'still', categories: ['plain'], ...FILES },
  { id: 'y', kind: 'still', categories: ['profile'], ...FILES },
  { id: 'z', kind: 'clip', categories: ['profile'], ...FILES },
];
const VERDICTS = [
  { pair: 'x', isRepeat: false, grades: { old: 'B5', new: 'A3' } },
  { pair: 'x', isRepeat: true, grades: { old: 'D1', new: 'D1' } },
  { pair: 'y', isRepeat: false, grades: { old: 'D4', new: null } },
  { pair: 'z', isRepeat: false, grades: { old: 'C2', new: 'C4' } },
] as const;

test('first showings are counted by category and version; only portraits have categories', () => {
  const rows = new Map(tableRows(PAIRS, VERDICTS).map((row) => [row.name, row]));
  assert.deepEqual(rows.get('all')!.counts.old, {
    A: 0,
    B: 1,
    C: 1,
    D: 1,
    none: 0,
    likeness: 11,
    alike: 2,
    good: 1,
  });
  assert.deepEqual(rows.get('all')!.counts.new, {
    A: 1,
    B: 0,
    C: 1,
    D: 0,
    none: 1,
    likeness: 7,
    alike: 1,
    good: 0,
  });
  assert.equal(rows.get('all hard')!.pairs, 2);
  assert.equal(rows.get('portraits')!.pairs, 2);
  assert.equal(rows.get('profile')!.counts.old.D, 1);
  assert.equal(rows.get('videos and GIFs')!.counts.new.C, 1);
  assert.equal(rows.has('small source'), false, 'a row without pairs says nothing');
});

test('the table is Markdown, with a line for each row and shares of the graded pictures', () => {
  const [head, rule, all, ...more] = formatTable(tableRows(PAIRS, VERDICTS)).split('\n');
  assert.match(head!, /^\| {2}\| pairs \| old A \|/);
  assert.equal(rule!.split('---').length, head!.split('|').length - 1);
  assert.equal(
    all,
    '| all | 3 | 0 | 1 | 1 | 1 | 0 | 33 % | 3.7 | 67 % | 33 % | 1 | 0 | 1 | 0 | 1 | 50 % | 3.5 | 50 % | 0 % |',
  );
  assert.equal(more.length, tableRows(PAIRS, VERDICTS).length - 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../scripts/seeded-order.ts';
import { addMoments, addRow, noMoments, solve } from './least-squares.ts';

const random = seededRandom(3);
const rows = Array.from({ length: 60 }, () => Float64Array.from([random(), random() - 0.5, random(), 1]));
const truth = [2, -3, 0.5, 0.25];
const wanted = (row: Float64Array): number => row.reduce((sum, value, k) => sum + value * truth[k]!, 0);

test('the coefficients that rows were made with are found', () => {
  const moments = noMoments(4);
  for (const row of rows) addRow(moments, row, wanted(row), 1 + random());
  for (const [k, value] of solve(moments, 1e-9).entries()) assert.ok(Math.abs(value - truth[k]!) < 1e-5);
});

test('a large ridge keeps coefficients small', () => {
  const moments = noMoments(4);
  for (const row of rows) addRow(moments, row, wanted(row), 1);
  const free = solve(moments, 1e-9);
  const held = solve(moments, 10);
  assert.ok(Math.hypot(...held) < 0.2 * Math.hypot(...free));
});

test('rows that are taken out again do not count', () => {
  const some = noMoments(4);
  const others = noMoments(4);
  const both = noMoments(4);
  for (const [k, row] of rows.entries()) {
    const given = k % 3 === 0 ? 7 : wanted(row);
    addRow(k % 3 === 0 ? others : some, row, given, 1);
    addRow(both, row, given, 1);
  }
  addMoments(both, others, -1);
  for (const [k, value] of solve(both, 0.01).entries())
    assert.ok(Math.abs(value - solve(some, 0.01)[k]!) < 1e-9);
});

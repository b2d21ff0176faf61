import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byPosition } from './face-order.ts';

function box(x: number, y: number, width: number) {
  return { box: { x, y, width, height: 20 } };
}

test('faces are numbered left to right by their centres, those in one column top to bottom', () => {
  const wideLeft = box(0, 90, 80);
  const narrowLeft = box(35.2, 10, 10);
  const right = box(60, 0, 10);
  const first = box(4, 50, 10);
  assert.deepEqual([right, wideLeft, narrowLeft, first].sort(byPosition), [
    first,
    narrowLeft,
    wideLeft,
    right,
  ]);
});

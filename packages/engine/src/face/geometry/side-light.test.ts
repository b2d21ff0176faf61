import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sideLight } from './side-light.ts';

/** Vertices of the person's left cheek, at the image's right. */
const LEFT = new Set([280, 330, 347, 346, 352, 425, 266]);

test("light from the image's right makes the left cheek lighter", () => {
  assert.ok(Math.abs(sideLight((vertex) => (LEFT.has(vertex) ? 150 : 100)) - 0.2) < 1e-9);
  assert.ok(Math.abs(sideLight((vertex) => (LEFT.has(vertex) ? 100 : 150)) + 0.2) < 1e-9);
});

test('even light and darkness come from no side', () => {
  assert.equal(
    sideLight(() => 130),
    0,
  );
  assert.equal(
    sideLight(() => 0),
    0,
  );
});

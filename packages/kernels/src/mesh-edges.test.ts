import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meshEdges } from './mesh-edges.ts';

test('an edge has both its triangles, one at the rim the only one', () => {
  const edges = [...meshEdges(Uint16Array.of(0, 1, 2, 2, 1, 3))];
  const rows = Array.from({ length: edges.length / 4 }, (_, k) => edges.slice(4 * k, 4 * k + 4).join(' '));
  assert.deepEqual(rows, ['0 1 0 65535', '1 2 0 1', '2 0 0 65535', '1 3 1 65535', '3 2 1 65535']);
});

test('triangles that go the same way along an edge both keep theirs', () => {
  const edges = meshEdges(Uint16Array.of(0, 1, 2, 3, 0, 1));
  assert.equal(edges.length / 4, 6);
});

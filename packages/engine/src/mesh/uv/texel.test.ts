import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meanAt, midlineDistance, mirrorTexel, texelsWhere } from './texel.ts';

const SIDE = 8;

test('a texel and its mirror image share a row and a distance from the midline', () => {
  for (let texel = 0; texel < SIDE * SIDE; texel++) {
    const mirrored = mirrorTexel(texel, SIDE);
    assert.equal(Math.floor(mirrored / SIDE), Math.floor(texel / SIDE));
    assert.equal((mirrored % SIDE) + (texel % SIDE), SIDE - 1);
    assert.equal(mirrorTexel(mirrored, SIDE), texel);
    assert.equal(midlineDistance(mirrored, SIDE), midlineDistance(texel, SIDE));
  }
});

test('the midline runs between the two middle columns, half an atlas from the edge', () => {
  assert.equal(midlineDistance(3, SIDE), 1 / 16);
  assert.equal(midlineDistance(0, SIDE), 7 / 16);
});

test('texels are listed in order, and a plane has a mean over them', () => {
  const plane = Float32Array.of(4, 8, 1, 6);
  const texels = texelsWhere(plane.length, (i) => plane[i]! > 3);
  assert.deepEqual(texels, Uint32Array.of(0, 1, 3));
  assert.equal(meanAt(plane, texels), 6);
  assert.ok(Number.isNaN(meanAt(plane, new Uint32Array(0))));
});

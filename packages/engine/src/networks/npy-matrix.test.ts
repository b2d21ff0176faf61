import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNpyMatrix } from './npy-matrix.ts';
import { npyOf } from './testing/npy.ts';

test('a matrix of numpy is read row by row', () => {
  const values = Float32Array.from([1, 2, 3, 4, 5, 6.5]);
  assert.deepEqual(readNpyMatrix(npyOf(values, 2, 3), 2, 3), values);
});

test('anything else is refused', () => {
  const values = Float32Array.from([1, 2, 3, 4, 5, 6]);
  const right = npyOf(values, 2, 3);
  for (const wrong of [
    Buffer.alloc(0),
    Buffer.from('PK'),
    right.subarray(0, right.length - 1),
    Buffer.concat([right, Buffer.alloc(4)]),
    npyOf(values, 3, 2),
    Buffer.from(right.toString('latin1').replace('<f4', '<f8'), 'latin1'),
    Buffer.from(right.toString('latin1').replace('False', 'True '), 'latin1'),
  ])
    assert.throws(
      () => readNpyMatrix(wrong, 2, 3),
      /^Error: It is not a numpy file with 2 x 3 values of float32\.$/,
    );
});

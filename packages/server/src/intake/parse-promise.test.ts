import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePromise } from './parse-promise.ts';

const field = { kind: 'promise', name: 'preserveScene', description: '' } as const;

test('a promise may be asked for or left out, and not turned off', () => {
  assert.equal(parsePromise(field, 'true'), true);
  assert.equal(parsePromise(field, undefined), true);
  for (const text of ['false', '', 'True', '1', ' true', 'null']) {
    assert.throws(() => parsePromise(field, text), {
      code: 'INVALID_REQUEST',
      message: 'preserveScene must be true or left out.',
    });
  }
});

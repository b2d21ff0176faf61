import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGuarantee } from './parse-guarantee.ts';

const field = { kind: 'guarantee', name: 'preserveScene', description: '' } as const;

test('a promise may be asked for or left out, and not turned off', () => {
  assert.equal(parseGuarantee(field, 'true'), true);
  assert.equal(parseGuarantee(field, undefined), true);
  for (const text of ['false', '', 'True', '1', ' true', 'null']) {
    assert.throws(() => parseGuarantee(field, text), {
      code: 'INVALID_REQUEST',
      message: 'preserveScene must be true or left out.',
    });
  }
});

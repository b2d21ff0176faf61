import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHOTO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { parseNumber } from './parse-number.ts';

const field = PHOTO_FORM.fields.find((each) => each.kind === 'number')!;

test('an absent number is the default', () => {
  assert.equal(parseNumber(field, undefined), 1);
});

for (const [text, value] of [
  ['0', 0],
  ['1', 1],
  ['0.5', 0.5],
  ['.25', 0.25],
  ['1.', 1],
  ['5e-1', 0.5],
  ['+1', 1],
  ['-0', 0],
  ['1.0000', 1],
] as const) {
  test(`${text} is ${value}`, () => assert.ok(Object.is(parseNumber(field, text), value)));
}

const REFUSED = [
  '',
  ' ',
  ' 1',
  '1 ',
  '1,0',
  '0x1',
  '0b1',
  'NaN',
  'Infinity',
  '-0.0001',
  '1.0000001',
  '2',
  '-1',
  'true',
  '1e999',
  '1e',
  '.',
  '1_0',
  '١',
  '1\n',
  '0.5f',
  'null',
  '[1]',
];
for (const text of REFUSED) {
  test(`${JSON.stringify(text)} is refused, naming the field and its range`, () => {
    assert.throws(() => parseNumber(field, text), {
      code: 'INVALID_REQUEST',
      message: 'faceRestoreVisibility must be a number from 0 to 1.',
    });
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseChoice, parseSwitch } from './parse-choice.ts';

const mode = { kind: 'choice', name: 'mode', description: '', values: ['a', 'b'] } as const;

test('one of the words is taken as it is, nothing else is', () => {
  assert.equal(parseChoice(mode, 'b'), 'b');
  for (const text of ['', 'A', ' a', 'a,b', 'toString']) {
    assert.throws(() => parseChoice(mode, text), {
      code: 'INVALID_REQUEST',
      message: 'mode must be a or b.',
    });
  }
});

test('without a default it is required', () => {
  assert.throws(() => parseChoice(mode, undefined), { message: 'mode is missing.' });
  assert.equal(parseChoice({ ...mode, default: 'a' }, undefined), 'a');
  assert.throws(() => parseChoice({ ...mode, default: 'a' }, ''), { message: 'mode must be a or b.' });
});

test('a switch is on or off, and nothing else', () => {
  const field = { kind: 'switch', name: 'label', description: '' } as const;
  assert.equal(parseSwitch(field, 'true'), true);
  assert.equal(parseSwitch(field, 'false'), false);
  for (const text of ['', 'True', '1', '0', ' true', 'null', 'yes', 'on', 'falsey']) {
    assert.throws(() => parseSwitch(field, text), {
      code: 'INVALID_REQUEST',
      message: 'label must be true or false.',
    });
  }
});

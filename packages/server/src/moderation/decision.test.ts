import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDecision } from './decision.ts';

const reasonOf = (reason: unknown) => readDecision(JSON.stringify({ decision: 'block', reason }))?.reason;

test('a decision is `allow` or `block`, and nothing else', () => {
  assert.deepEqual(readDecision('{"decision":"allow"}'), { decision: 'allow' });
  assert.deepEqual(readDecision(' {"more":1,"decision":"block"}\n'), { decision: 'block' });
  for (const text of [
    '',
    'allow',
    '"allow"',
    'null',
    '[]',
    '{}',
    '{"decision":"ALLOW"}',
    '{"decision":true}',
  ])
    assert.equal(readDecision(text), null, text);
});

test('a reason becomes one line of at most 200 characters, and a strange one does not undo a block', () => {
  assert.equal(reasonOf(' Not\u0000\u001b[31m\r\nallowed.\u202e\u2028 '), 'Not [31m allowed.');
  assert.equal(reasonOf('😀'.repeat(300)), '😀'.repeat(200));
  for (const reason of [5, null, {}, '', ' \n'])
    assert.deepEqual(readDecision(JSON.stringify({ decision: 'block', reason })), { decision: 'block' });
});

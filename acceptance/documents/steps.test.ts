import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patternOf, readFiles, readSteps } from './steps.ts';

test('commands, lines that go on and answers are told apart', () => {
  const page =
    'Text\n\n```\nKEY=a\ncurl -s x \\\n  -F a=b\n# {"a":"b...",\n#  "c":1}\n\nls   # all\n```\n\nMore\n\n```\nend\n```\n';
  assert.deepEqual(readSteps(page), [
    { command: 'KEY=a', answer: null },
    { command: 'curl -s x \\\n  -F a=b', answer: '{"a":"b...","c":1}' },
    { command: 'ls   # all', answer: null },
    { command: 'end', answer: null },
  ]);
});

test('a program is what has a file name, and none of its lines is a command', () => {
  const page = '```sh a.sh\nx=1\n\necho $x\n```\n\n```json 200\n{}\n```\n\n```\nbash a.sh\n```\n';
  assert.deepEqual(readFiles(page), [{ name: 'a.sh', text: 'x=1\n\necho $x\n' }]);
  assert.deepEqual(readSteps(page), [{ command: 'bash a.sh', answer: null }]);
});

test('an answer may have anything where the document leaves something out', () => {
  const pattern = patternOf('{"id":"5b0c...","status":"COMPLETED",...,"outputs":[{...}]}');
  assert.match('{"id":"5b0c-1","status":"COMPLETED","a":{},"outputs":[{"url":"u"}]}', pattern);
  assert.doesNotMatch('{"id":"5b0c-1","status":"FAILED","a":{},"outputs":[{"url":"u"}]}', pattern);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanFileName } from './file-name.ts';

test('a file name keeps its letters, whatever the script', () => {
  assert.equal(cleanFileName('Ünïcode 写真.jpg'), 'Ünïcode 写真.jpg');
});

test('a path is cut to its last part, on either slash', () => {
  assert.equal(cleanFileName('../../etc/passwd'), 'passwd');
  assert.equal(cleanFileName('C:\\fotos\\me.png'), 'me.png');
});

test('control characters, which jsonb and terminals choke on, are dropped', () => {
  assert.equal(cleanFileName('a\0b\u001b[31m\nc.png'), 'ab[31mc.png');
  assert.equal(cleanFileName('a\uFFFFb\uD800.png'), 'ab.png');
});

test('a name is never endless and never empty', () => {
  assert.equal(cleanFileName('x'.repeat(5000)).length, 200);
  assert.equal(cleanFileName(undefined), 'unnamed');
  assert.equal(cleanFileName('dir/'), 'unnamed');
});

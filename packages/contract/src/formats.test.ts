import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentTypeOf, extensionOfType, clipOutputFormatOf, stillFormatOf } from './formats.ts';

test('a format is told by what follows the last dot of a name, and by nothing else', () => {
  assert.equal(stillFormatOf('out/a.b.JPG'), 'jpeg');
  assert.equal(clipOutputFormatOf('wave.gif'), 'gif');
  for (const name of ['png', '.png', 'out/png', 'a.png/b', 'a.'])
    assert.equal(stillFormatOf(name), undefined);
  assert.equal(clipOutputFormatOf('mp4'), undefined);
});

test('what guise only reads is no format of an output', () => {
  assert.equal(stillFormatOf('wave.gif'), undefined);
  assert.equal(clipOutputFormatOf('film.mkv'), undefined);
  assert.equal(contentTypeOf('film.mkv'), 'video/x-matroska');
});

test('files of a type get its first extension', () => {
  assert.deepEqual(['image/jpeg', 'video/quicktime', 'text/plain'].map(extensionOfType), [
    'jpg',
    'mov',
    undefined,
  ]);
});

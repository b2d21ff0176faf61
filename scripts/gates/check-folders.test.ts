import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkFolders } from './check-folders.ts';
import { makeSourceTree } from './source-tree.ts';

function folderOf(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`packages/a/src/f${i}.ts`, '']));
}

describe('checkFolders', () => {
  it('lets 30 files with their tests and a folder inside be', () => {
    const texts = { ...folderOf(30), 'packages/a/src/f0.test.ts': '', 'packages/a/src/in/g.ts': '' };
    assert.deepEqual(checkFolders(makeSourceTree(texts)), []);
  });

  it('refuses a folder with more', () => {
    const offences = checkFolders(makeSourceTree(folderOf(32)));
    assert.deepEqual(offences, [{ file: 'packages/a/src', reason: 'holds 32 source files; 30 is the most' }]);
  });
});

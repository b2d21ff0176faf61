import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkConstants } from './check-constants.ts';
import { makeSourceTree } from './source-tree.ts';

function reasonsFor(text: string, path = 'packages/a/src/x.ts'): string[] {
  return checkConstants(makeSourceTree({ [path]: text })).map(({ reason }) => reason);
}

describe('checkConstants', () => {
  it('takes a docblock for the one declaration that follows it', () => {
    const text = '/** Sides of a cube. */\nexport const SIDES = 6;\nconst EDGES = 12;';
    assert.deepEqual(reasonsFor(text), ['EDGES has no docblock of its own']);
  });

  it('wants a declaration for each constant', () => {
    assert.deepEqual(reasonsFor('/** Sides and edges. */\nconst SIDES = 6, EDGES = 12;'), [
      'EDGES has no docblock of its own',
    ]);
  });

  it('does not take a plain comment for a docblock', () => {
    assert.equal(reasonsFor('// Sides of a cube.\nconst SIDES = 6;').length, 1);
  });

  it('lets locals, functions and tests be', () => {
    assert.deepEqual(reasonsFor('const sides = 6;\nfunction f() { const SIDES = 6; return SIDES; }'), []);
    assert.deepEqual(reasonsFor('const SIDES = 6;', 'packages/a/src/x.test.ts'), []);
  });
});

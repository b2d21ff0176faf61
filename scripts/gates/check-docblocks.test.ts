import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkCommentWidth, checkDocblockOpeners } from './check-docblocks.ts';
import { makeSourceTree } from './source-tree.ts';

function linesOf(check: typeof checkCommentWidth, text: string): (number | undefined)[] {
  return check(makeSourceTree({ 'packages/a/src/x.ts': text })).map(({ line }) => line);
}

describe('checkDocblockOpeners', () => {
  for (const opener of [
    'Of one call.',
    'For sentences.',
    'The same, but larger.',
    'as above.',
    'In bytes.',
  ]) {
    it(`refuses "${opener}"`, () => {
      assert.deepEqual(linesOf(checkDocblockOpeners, `\n/** ${opener} */\nexport const x = 1;`), [2]);
      assert.deepEqual(linesOf(checkDocblockOpeners, `/**\n * ${opener}\n */\nexport const x = 1;`), [1]);
    });
  }

  for (const opener of [
    'Offers a link.',
    'Format of a file.',
    'At most three.',
    'Assigns it.',
    '@param of it',
  ]) {
    it(`lets "${opener}" be`, () => {
      assert.deepEqual(linesOf(checkDocblockOpeners, `/** ${opener} */\nexport const x = 1;`), []);
    });
  }

  it('looks neither at other comments nor into strings', () => {
    assert.deepEqual(linesOf(checkDocblockOpeners, "// Of it.\nexport const x = '/** Of it. */';"), []);
  });
});

describe('checkCommentWidth', () => {
  it('lets column 100 be and refuses column 101', () => {
    assert.deepEqual(linesOf(checkCommentWidth, `// ${'x'.repeat(97)}`), []);
    assert.deepEqual(linesOf(checkCommentWidth, `\n// ${'x'.repeat(98)}`), [2]);
  });

  it('counts each wide line of a block, and code before a comment', () => {
    const wide = 'x'.repeat(101);
    assert.deepEqual(linesOf(checkCommentWidth, `/**\n * ${wide}\n * short\n * ${wide}\n */`), [2, 4]);
    assert.deepEqual(linesOf(checkCommentWidth, `const x = '${'x'.repeat(80)}'; // ${'x'.repeat(20)}`), [1]);
  });

  it('says nothing of wide code', () => {
    assert.deepEqual(linesOf(checkCommentWidth, `/** Short. */\nconst x = '${'x'.repeat(100)}';`), []);
  });
});

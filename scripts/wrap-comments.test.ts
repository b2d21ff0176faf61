import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wrapComments } from './wrap-comments.ts';

/** Fifteen words of five letters and a space: a line that is just too wide for a docblock. */
const WIDE = 'words '.repeat(17).trim();

function wrapped(...lines: string[]): string[] {
  return wrapComments('x.ts', lines.join('\n')).split('\n');
}

describe('wrapComments', () => {
  it('breaks a docblock of one line at column 100', () => {
    const [open, first, second, close, code] = wrapped(`/** ${WIDE} end. */`, 'const x = 1;');
    assert.deepEqual([open, close, code], ['/**', ' */', 'const x = 1;']);
    assert.ok(first!.length <= 100);
    assert.equal(`${first} ${second!.slice(3)}`, ` * ${WIDE} end.`);
  });

  it('joins the lines of a paragraph, but no tag, list or table to another line', () => {
    const lines = ['/**', ` * ${WIDE}`, ' * more', ' *', ' * - one', ' * @param x it', ' * | a | b |', ' */'];
    assert.deepEqual(wrapped(...lines, 'let x;').slice(2), [
      ' * words more',
      ' *',
      ' * - one',
      ' * @param x it',
      ' * | a | b |',
      ' */',
      'let x;',
    ]);
  });

  it('wraps a run of line comments as one paragraph, at their indentation', () => {
    const lines = wrapped('{', `  // ${WIDE}`, '  // more', '}');
    assert.deepEqual(lines.slice(2), ['  // words more', '}']);
    assert.ok(lines[1]!.length <= 100);
  });

  it('changes nothing that fits, stands beside code or is read by a tool', () => {
    const lines = [
      '/** Short. */',
      'let x;',
      `let y; // ${WIDE} end`,
      `// oxlint-disable-next-line rule -- ${WIDE}`,
      `let z = '// ${WIDE} end';`,
    ];
    assert.deepEqual(wrapped(...lines), lines);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkExports } from './check-exports.ts';
import { makeSourceTree } from './source-tree.ts';

function deadExports(texts: Record<string, string>): string[] {
  return checkExports(makeSourceTree(texts)).map(({ reason }) => reason);
}

describe('checkExports', () => {
  it('finds an export that only its own file uses', () => {
    const texts = {
      'packages/a/src/x.ts': 'export const used = 1;\nexport const alone = used;',
      'packages/b/src/y.ts': "import { used } from '@guise/a/x.ts';\nconsole.log(used);",
    };
    assert.deepEqual(deadExports(texts), ['nobody imports alone']);
  });

  it('counts imports of tests, renamed ones, and those of the whole module', () => {
    const texts = {
      'packages/a/src/x.ts': 'export const x = 1;',
      'packages/a/src/x.test.ts': "import { x as renamed } from './x.ts';\nrenamed;",
      'packages/a/src/y.ts': 'export const y = 1;',
      'bench/y.ts': "import * as all from '../packages/a/src/y.ts';\nall;",
      'packages/a/src/z.ts': 'export const z = 1;',
      'bench/z.ts': "await import('@guise/a/z.ts');",
    };
    assert.deepEqual(deadExports(texts), []);
  });

  it('lets a type be that names part of its own file, and no other', () => {
    const texts = {
      'packages/a/src/x.ts':
        'export interface Options { size: number }\nexport type Lost = 1;\nexport function x(o: Options) { return o; }',
      'packages/a/src/x.test.ts': "import { x } from './x.ts';\nx;",
    };
    assert.deepEqual(deadExports(texts), ['nobody imports Lost']);
  });
});

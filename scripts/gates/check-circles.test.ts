import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkFileCircles, checkFolderCircles } from './check-circles.ts';
import { makeSourceTree } from './source-tree.ts';

describe('checkFileCircles', () => {
  it('finds a circle over three files, whatever kind of import closes it', () => {
    const tree = makeSourceTree({
      'packages/a/src/x.ts': "import { y } from './y.ts';\nexport const x = y;",
      'packages/a/src/y.ts': "export { z as y } from '@guise/b/z.ts';",
      'packages/b/src/z.ts': "import type { x } from '@guise/a/x.ts';\nexport const z: typeof x = 1;",
    });
    assert.deepEqual(
      checkFileCircles(tree).map(({ file }) => file),
      ['packages/a/src/x.ts', 'packages/a/src/y.ts', 'packages/b/src/z.ts'],
    );
  });

  it('lets a test and files below a circle be', () => {
    const tree = makeSourceTree({
      'packages/a/src/x.ts': "import './y.ts';",
      'packages/a/src/y.ts': '',
      'packages/a/src/y.test.ts': "import './x.ts';\nimport './y.ts';",
    });
    assert.deepEqual(checkFileCircles(tree), []);
  });
});

describe('checkFolderCircles', () => {
  it('finds folders that need one another through different files', () => {
    const tree = makeSourceTree({
      'packages/a/src/one/x.ts': "import '../two/y.ts';",
      'packages/a/src/two/y.ts': '',
      'packages/a/src/two/z.ts': "import '../one/w.ts';",
      'packages/a/src/one/w.ts': '',
    });
    assert.deepEqual(checkFileCircles(tree), []);
    assert.deepEqual(
      checkFolderCircles(tree).map(({ file }) => file),
      ['packages/a/src/one', 'packages/a/src/two'],
    );
  });

  it('finds packages that need one another through different folders', () => {
    const tree = makeSourceTree({
      'packages/a/src/one/x.ts': "import '@guise/b/one/y.ts';",
      'packages/b/src/one/y.ts': '',
      'packages/b/src/two/z.ts': "import '@guise/a/two/w.ts';",
      'packages/a/src/two/w.ts': '',
    });
    assert.deepEqual(
      checkFolderCircles(tree).map(({ file }) => file),
      ['packages/a', 'packages/b'],
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkLayers, type LayerRules } from './check-layers.ts';
import { makeSourceTree } from './source-tree.ts';

/** A package of two rooms, of which the upper may import the lower. */
const RULES: LayerRules = {
  layers: {
    'packages/a/src': { may: [], packages: ['pg'] },
    'packages/a/src/upper': { may: ['packages/a/src/lower'], packages: [] },
    'packages/a/src/lower': { may: [], packages: [] },
  },
  never: [],
};

/** The least that lets every folder of the rules hold a file. */
const FILES = {
  'packages/a/src/top.ts': "import 'pg';\nimport './upper/u.ts';\nimport 'node:fs';",
  'packages/a/src/upper/u.ts': "import '../lower/l.ts';",
  'packages/a/src/lower/l.ts': '',
};

function reasonsFor(changes: Record<string, string>, rules = RULES): string[] {
  return checkLayers(rules, makeSourceTree({ ...FILES, ...changes })).map(({ reason }) => reason);
}

describe('checkLayers', () => {
  it('takes the name of a package alone for its index', () => {
    assert.deepEqual(reasonsFor({ 'packages/a/src/lower/l.ts': "import '@guise/a';" }), [
      "import '@guise/a': packages/a/src/lower may not import packages/a/src",
    ]);
  });

  it('lets imports down the layers be', () => {
    assert.deepEqual(reasonsFor({}), []);
  });

  it('gives a file to the longest folder, so a room inside a package has its own rules', () => {
    assert.deepEqual(reasonsFor({ 'packages/a/src/lower/l.ts': "import '../upper/u.ts';" }), [
      "import '../upper/u.ts': packages/a/src/lower may not import packages/a/src/upper",
    ]);
    assert.deepEqual(reasonsFor({ 'packages/a/src/upper/u.ts': "import 'pg';" }), [
      "import 'pg': packages/a/src/upper does not own the package pg",
    ]);
  });

  it('refuses files without a layer, tests excepted', () => {
    const files = {
      'packages/b/src/x.ts': "import 'pg';",
      'packages/a/src/lower/l.test.ts': "import '../top.ts';",
    };
    assert.deepEqual(reasonsFor(files), ["import 'pg': its folder has no layer in layers.json"]);
  });

  it('refuses what must never be, whatever the layers say', () => {
    const rules = { ...RULES, never: [['packages/a/src/upper', 'packages/a/src/lower']] as const };
    assert.deepEqual(reasonsFor({}, rules), [
      "import '../lower/l.ts': packages/a/src/upper must never import packages/a/src/lower",
    ]);
  });

  it('refuses rules about folders that are gone, and rules that allow a circle', () => {
    const layers = {
      ...RULES.layers,
      'packages/a/src/lower': { may: ['packages/a/src/upper', 'packages/a/src/gone'], packages: [] },
    };
    assert.deepEqual(reasonsFor({}, { layers, never: [] }), [
      'no source file stands in packages/a/src/gone',
      'these may import one another in a circle: packages/a/src/lower, packages/a/src/upper',
    ]);
  });
});

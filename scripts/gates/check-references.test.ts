import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkReferences, headingAnchors } from './check-references.ts';
import { makeSourceTree } from './source-tree.ts';

/** Documents that the references below may lead to. */
const DOCUMENTS = {
  'docs/decisions/0009-the-wire.md': '# 0009: The wire\n\n## Output type\n',
  'docs/spec/v1.md': '# v1\n\n## Errors\n',
  'docs/glossary.md': '# Glossary\n',
};

function reasonsFor(texts: Record<string, string>): string[] {
  return checkReferences(makeSourceTree({ ...DOCUMENTS, ...texts })).map(({ reason }) => reason);
}

describe('checkReferences', () => {
  it('follows a decision by its number, a page by its name and a heading by its anchor', () => {
    const text =
      '/** A PNG (docs/decisions/0009#output-type, docs/spec/v1#errors).\n * See docs/glossary.md. */\nexport {};';
    assert.deepEqual(reasonsFor({ 'packages/a/src/x.ts': text }), []);
  });

  it('refuses a decision, a heading and a source that do not exist', () => {
    const text =
      '/** See docs/decisions/0010, docs/decisions/0009#waiting and packages/a/src/gone.ts. */\nexport {};';
    assert.deepEqual(reasonsFor({ 'packages/a/src/x.ts': text }), [
      'nothing stands at docs/decisions/0010',
      'docs/decisions/0009-the-wire.md has no heading #waiting',
      'nothing stands at packages/a/src/gone.ts',
    ]);
  });

  it('refuses the spelling that leads nowhere', () => {
    for (const loose of [
      'decisions: Output type',
      '(decisions, Rates)',
      'spec: Events',
      'see decisions: it',
    ]) {
      assert.equal(
        reasonsFor({ 'packages/a/src/x.ts': `/** A PNG ${loose}. */\nexport {};` }).length,
        1,
        loose,
      );
    }
  });

  it('follows the links of documents, relative to where they stand', () => {
    const link = '[a](0009-the-wire.md#output-type) [b](../spec/v1.md#limits) [c](https://example.org/x)';
    assert.deepEqual(reasonsFor({ 'docs/decisions/README.md': link }), [
      'docs/spec/v1.md has no heading #limits',
    ]);
  });

  it('looks at the comments of migrations', () => {
    assert.deepEqual(reasonsFor({ 'migrations/1.sql': '-- see docs/decisions/0042' }), [
      'nothing stands at docs/decisions/0042',
    ]);
  });
});

describe('headingAnchors', () => {
  it('makes anchors as GitHub does, and none of code', () => {
    assert.deepEqual(
      [...headingAnchors('# POST `/v1/image-swap`\n## Credits, holds\n```\n# not a heading\n```\n')],
      ['post-v1image-swap', 'credits-holds'],
    );
  });
});

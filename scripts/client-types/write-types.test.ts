import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { NamedTypes } from './named-types.ts';
import { printTypeScript } from './print-typescript.ts';

test('the types of the clients are those of OpenAPI', () => {
  const script = path.join(import.meta.dirname, 'write-types.ts');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('a schema becomes a type: fields, lists, unions, and one list for numbered fields', () => {
  const types = new NamedTypes();
  const text = { type: 'string' };
  types.addComponent('Answer', {
    required: ['id', 'result'],
    properties: {
      id: { ...text, description: 'Its id.' },
      result: { anyOf: [{ type: 'null' }, { title: 'Done', properties: { at: { type: 'number' } } }] },
      kinds: { items: { enum: ['a', 'b'] } },
      pair: { items: text, minItems: 2, maxItems: 2 },
    },
  });
  types.addForm('Group', {
    required: ['photo', 'faceBox0'],
    properties: {
      photo: { ...text, format: 'binary' },
      preview: { enum: ['false', 'true'] },
      targetFace0: { ...text, format: 'binary' },
      faceBox0: { ...text, contentSchema: { $ref: '#/components/schemas/FaceBox' } },
      targetFace1: { ...text, format: 'binary' },
      faceBox1: { ...text, contentSchema: { $ref: '#/components/schemas/FaceBox' } },
    },
  });
  const lines = printTypeScript(types.all).split('\n');
  for (const line of [
    '  /** Its id. */',
    '  readonly id: string;',
    '  readonly result: null | Done;',
    '  readonly at?: number | undefined;',
    "  readonly kinds?: readonly ('a' | 'b')[] | undefined;",
    '  readonly pair?: readonly [string, string] | undefined;',
    '  readonly photo: Blob;',
    '  readonly preview?: boolean | undefined;',
    '  readonly faces: readonly GroupFace[];',
    '  readonly targetFace?: Blob | undefined;',
    '  readonly faceBox: FaceBox;',
  ])
    assert.ok(lines.includes(line), line);
  assert.ok(!lines.some((line) => /Face[01]/.test(line)));
});

test('two objects of one name need titles', () => {
  const types = new NamedTypes();
  types.addComponent('Engine', { properties: { id: { type: 'string' } } });
  assert.throws(
    () => types.addComponent('Engine', { properties: { name: { type: 'string' } } }),
    /two objects would be called Engine/,
  );
});

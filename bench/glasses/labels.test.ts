import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import type { FixtureFace } from './fixture-faces.ts';
import { labelsOf, readLabels } from './labels.ts';

const labels = await readLabels();

test('a person wears glasses in all pictures or in none', () => {
  for (const { person } of labels) {
    const known = labels.filter((label) => label.person === person && label.glasses !== 'unknown');
    assert.ok(new Set(known.map(({ glasses }) => glasses)).size <= 1, person);
  }
});

test('enough persons with and without glasses are labelled', () => {
  assert.ok(personsWith('yes') >= 45, `${personsWith('yes')}`);
  assert.ok(personsWith('no') >= 75, `${personsWith('no')}`);
});

function personsWith(glasses: string): number {
  return new Set(labels.filter((label) => label.glasses === glasses).map(({ person }) => person)).size;
}

test('a face gets the label where it is, one elsewhere gets none', async () => {
  const { file, second, at, size } = labels[40]!;
  const face = { file, second, x: at[0] + 2, y: at[1] - 2, size } as FixtureFace;
  assert.deepEqual(await labelsOf([face]), [labels[40]]);
  await assert.rejects(labelsOf([{ ...face, x: at[0] + size }]), /has no face at/);
});

test('every label is of a file of the fixtures', { skip: skipWithoutFixtures }, () => {
  for (const { file } of labels) assert.ok(existsSync(fixture(file)), file);
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { drawEveryday } from './draw-everyday.ts';
import { CATEGORY_COUNTS, type Category, EVERYDAY_LISTS, isHard, type Pair, readPairs } from './pair-list.ts';

/** Number of portraits in the first grading, to which `CATEGORY_COUNTS` refer. */
const FIRST_PORTRAITS = 83;

/** Categories that a plain pair may also have. */
const BESIDE_PLAIN = new Set<Category>([
  'plain',
  'smile onto calm',
  'calm onto smile',
  'dark onto light',
  'light onto dark',
  'female and male',
]);

let pairs: Pair[];
before(async () => {
  pairs = await readPairs('hard');
});

test('there are 120 different pairs; 21 have faces of groups, and 15 are clips', () => {
  assert.equal(pairs.length, 120);
  assert.equal(new Set(pairs.map(({ id }) => id)).size, 120);
  assert.equal(new Set(pairs.map(({ source, target, at }) => `${source} ${target} ${at}`)).size, 120);
  assert.equal(pairs.filter(({ kind }) => kind === 'group').length, 21);
  assert.equal(pairs.filter(({ kind }) => kind === 'clip').length, 15);
});

test('at least 70 % of all pairs and of the portraits are hard', () => {
  const stills = pairs.filter(({ kind }) => kind === 'still');
  for (const some of [pairs, stills]) assert.ok(some.filter(isHard).length >= 0.7 * some.length);
});

test('the portraits cover every category in the proportions of the first grading', () => {
  const stills = pairs.filter(({ kind }) => kind === 'still');
  for (const [category, count] of Object.entries(CATEGORY_COUNTS)) {
    const found = stills.filter(({ categories }) => categories.includes(category as Category)).length;
    const wanted = (count / FIRST_PORTRAITS) * stills.length;
    assert.ok(Math.abs(found - wanted) <= 2.5, `${category}: ${found} instead of about ${wanted.toFixed(1)}`);
  }
});

test('every pair has known categories; a plain one has no difficulty except expression, skin or sex', () => {
  for (const { id, categories } of pairs) {
    assert.ok(categories.length > 0 && categories.every((each) => each in CATEGORY_COUNTS), id);
    if (categories.includes('plain'))
      assert.ok(
        categories.every((each) => BESIDE_PLAIN.has(each)),
        id,
      );
  }
});

test('pairs with groups give the place of the face', () => {
  for (const { id, kind, at } of pairs) if (kind === 'group') assert.ok(at, id);
});

test('all files are in the fixtures', { skip: skipWithoutFixtures }, async () => {
  const index = await readFile(fixture('INDEX.md'), 'utf8');
  for (const file of new Set(pairs.flatMap(({ source, target }) => [source, target]))) {
    assert.ok(index.includes(`| ${path.basename(file)} |`), file);
  }
});

const peopleOf = (pairs: readonly Pair[]): Set<string> =>
  new Set(pairs.flatMap(({ source, target }) => [source, target]));

test(
  'everyday lists are what the lot gives, sixty pairs of at most forty people, none twice',
  { skip: skipWithoutFixtures },
  async () => {
    const lists = await Promise.all(EVERYDAY_LISTS.map(readPairs));
    assert.deepEqual(lists, await Promise.all(EVERYDAY_LISTS.map(drawEveryday)));
    const all = lists.flat();
    assert.equal(new Set(all.map(({ id }) => id)).size, 60 * EVERYDAY_LISTS.length);
    assert.equal(
      new Set(all.map(({ source, target }) => `${source} ${target}`)).size,
      60 * EVERYDAY_LISTS.length,
    );
    // People of the first list are not used for training.
    assert.ok(peopleOf(all).size <= 40);
    assert.deepEqual(peopleOf(all), peopleOf(lists[0]!));
  },
);

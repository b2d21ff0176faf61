import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fixture } from '../../scripts/fixtures.ts';
import { EVERYDAY_LISTS, type Pair } from './pair-list.ts';
import { seededRandom, shuffled } from '../../scripts/seeded-order.ts';

/** Folder of the fixtures with everyday portraits, one per person. */
const FOLDER = 'profile-pictures';
/** Seed of the random choice. */
const SEED = 20_261_124;
/** Number of people in the lists. Nothing may be trained or tuned on them. */
const PEOPLE = 40;
/** Number of ordered pairs in a list. */
const PAIRS = 60;

/**
 * Chooses the pairs of an everyday list at random, so that nobody selects pictures by their look.
 */
export async function drawEveryday(list: (typeof EVERYDAY_LISTS)[number]): Promise<Pair[]> {
  const random = seededRandom(SEED);
  const files = (await readdir(fixture(FOLDER))).filter((file) => /\.(jpe?g|png)$/.test(file)).sort();
  const people = shuffled(files, random).slice(0, PEOPLE);
  const ordered = people.flatMap((source) =>
    people.filter((target) => target !== source).map((target) => [source, target] as const),
  );
  const lot = shuffled(ordered, random);
  const first = lot.slice(0, PAIRS);
  // Later lists use the same people, because only people of the first list are never used for
  // training.
  const known = new Set(first.flat());
  const others = lot.slice(PAIRS).filter((pair) => pair.every((file) => known.has(file)));
  const before = PAIRS * EVERYDAY_LISTS.indexOf(list);
  const pairs = [...first, ...others].slice(before, before + PAIRS);
  return pairs.map(([source, target], at) => ({
    id: `e${String(before + at + 1).padStart(2, '0')}`,
    kind: 'still',
    source: path.posix.join(FOLDER, source),
    target: path.posix.join(FOLDER, target),
    categories: [],
  }));
}

/** Formats a list as in its file, with a line for each pair. */
export function formatPairs(pairs: readonly Pair[]): string {
  return `[\n${pairs.map((pair) => `  ${JSON.stringify(pair)}`).join(',\n')}\n]\n`;
}

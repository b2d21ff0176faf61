import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Categories of pairs. For each, the number of pairs among the 83 portraits of the first grading
 * that were chosen for it.
 */
export const CATEGORY_COUNTS = {
  plain: 24,
  'smile onto calm': 9,
  'calm onto smile': 5,
  'glasses on source': 12,
  'dark glasses on target': 13,
  'clear glasses on target': 8,
  'beard onto clean': 7,
  'clean onto beard': 5,
  'dark onto light': 6,
  'light onto dark': 5,
  'female and male': 9,
  'three-quarter': 7,
  profile: 4,
  'small source': 8,
  'in front': 10,
} as const;

export type Category = keyof typeof CATEGORY_COUNTS;
export type PairKind = 'still' | 'group' | 'clip';

/** A source and the target onto which it is swapped. Both are files of the fixtures. */
export interface Pair {
  readonly id: string;
  readonly kind: PairKind;
  readonly source: string;
  readonly target: string;
  /**
   * Middle of the face that is swapped, as shares of the target's width and height. Without it, the
   * largest face is swapped.
   */
  readonly at?: readonly [x: number, y: number];
  readonly categories: readonly Category[];
}

/**
 * Lists that were chosen at random (`npm run bench:eye -- draw`), in this order. No pair is in two
 * of them.
 */
export const EVERYDAY_LISTS = [
  'everyday',
  'everyday-2',
  'everyday-3',
  'everyday-4',
  'everyday-5',
  'everyday-6',
  'everyday-7',
  'everyday-8',
  'everyday-9',
  'everyday-10',
  'everyday-11',
  'everyday-12',
  'everyday-13',
  'everyday-14',
  'everyday-15',
  'everyday-16',
  'everyday-17',
  'everyday-18',
  'everyday-19',
  'everyday-20',
  'everyday-21',
  'everyday-22',
  'everyday-23',
] as const;

/**
 * All lists. They never change, so that grades can be compared. The pairs of `hard` are difficult.
 */
export const LIST_NAMES = ['hard', ...EVERYDAY_LISTS] as const;
export type ListName = (typeof LIST_NAMES)[number];

export async function readPairs(list: ListName): Promise<Pair[]> {
  return JSON.parse(await readListFile(list)) as Pair[];
}

/** Returns a hash of the list, so that outputs and grades of different lists are never mixed. */
export async function hashOfPairs(list: ListName): Promise<string> {
  return createHash('sha256')
    .update(await readListFile(list))
    .digest('hex');
}

function readListFile(list: ListName): Promise<string> {
  const name = list === 'hard' ? 'pairs' : list;
  return readFile(path.join(import.meta.dirname, `${name}.json`), 'utf8');
}

/** Returns whether a pair has a difficulty, which plain pairs do not have. */
export function isHard({ categories }: Pair): boolean {
  return categories.length > 0 && !categories.includes('plain');
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What a pair was chosen to show, with how many of the 83 portraits of the first grading were of
 * it.
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

/** A source that is put onto a target; both are files of the fixtures. */
export interface Pair {
  readonly id: string;
  readonly kind: PairKind;
  readonly source: string;
  readonly target: string;
  /**
   * Middle of the face that counts, in shares of the target's width and height; without it the
   * largest face.
   */
  readonly at?: readonly [x: number, y: number];
  readonly categories: readonly Category[];
}

/**
 * Lists that were drawn by lot (`npm run bench:eye -- draw`), in this order. No pair is in two of
 * them.
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
] as const;

/**
 * Lists that grades are compared over; they do not change. `hard` was chosen to be hard.
 */
export const LIST_NAMES = ['hard', ...EVERYDAY_LISTS] as const;
export type ListName = (typeof LIST_NAMES)[number];

export async function readPairs(list: ListName): Promise<Pair[]> {
  return JSON.parse(await readListFile(list)) as Pair[];
}

/** Names the list, so that outputs and grades of different lists are never mixed. */
export async function hashOfPairs(list: ListName): Promise<string> {
  return createHash('sha256')
    .update(await readListFile(list))
    .digest('hex');
}

function readListFile(list: ListName): Promise<string> {
  const name = list === 'hard' ? 'pairs' : list;
  return readFile(path.join(import.meta.dirname, `${name}.json`), 'utf8');
}

/** Tells pairs with a difficulty from plain ones. */
export function isHard({ categories }: Pair): boolean {
  return categories.length > 0 && !categories.includes('plain');
}

import { seededRandom, shuffled } from '../../scripts/seeded-order.ts';

/** The two versions that are compared: the engine before and after a change. */
export const VERSIONS = ['old', 'new'] as const;
export type Version = (typeof VERSIONS)[number];

/** One showing of a pair. */
export interface Sheet {
  /** Number from 1, in the order in which sheets are graded. */
  readonly number: number;
  readonly pair: string;
  /** Versions that made pictures 1 and 2. */
  readonly versions: readonly [Version, Version];
  /** Whether the pair is also on an earlier sheet. */
  readonly isRepeat: boolean;
}

/**
 * Plans the sheets: puts the pairs in a random order, shows some of them a second time, and decides
 * which version is picture 1 and which is picture 2.
 */
export function planSheets(pairIds: readonly string[], repeatCount: number, seed: number): Sheet[] {
  const random = seededRandom(seed);
  const repeated = shuffled(pairIds, random).slice(0, repeatCount);
  const seen = new Set<string>();
  return shuffled([...pairIds, ...repeated], random).map((pair, index) => {
    const isRepeat = seen.has(pair);
    seen.add(pair);
    return { number: index + 1, pair, versions: random() < 0.5 ? ['old', 'new'] : ['new', 'old'], isRepeat };
  });
}

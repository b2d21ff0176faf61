import { decideOf } from './decide.ts';
import type { FixtureFace } from './fixture-faces.ts';
import type { Label } from './labels.ts';
import { printTally, tally } from './tally.ts';

/** Fewest portraits with glasses that must be found. */
const LEAST_FOUND_PORTRAITS = 19;
/** Most persons without glasses who may be said to wear some. */
const MOST_FALSE_PERSONS = 2;
/** Sides of the atlas that faces are read in, texels. */
const SIDES = [256, 512];

/** Prints what the engine finds and misses. @returns whether that is within the bounds */
export function checkDecision(faces: readonly FixtureFace[], labels: readonly Label[]): boolean {
  let isGood = true;
  for (const side of SIDES) {
    const times: number[] = [];
    const logOdds = faces.map((face) => decideOf(face, side, times));
    printTally(`Atlas of ${side} texels`, labels, logOdds);
    const median = times.sort((a, b) => a - b)[times.length >> 1]!;
    console.log(`  cost:                         ${median.toFixed(2)} ms a face (median)`);
    const { foundPortraits, falsePersons } = tally(labels, logOdds);
    if (foundPortraits < LEAST_FOUND_PORTRAITS || falsePersons > MOST_FALSE_PERSONS) isGood = false;
  }
  if (!isGood)
    console.log(
      `Out of bounds: at least ${LEAST_FOUND_PORTRAITS} portraits found, at most ${MOST_FALSE_PERSONS} persons false.`,
    );
  return isGood;
}

import type { Label } from './labels.ts';
import { nameOf } from './labels.ts';

/** What a decision makes of the fixtures' faces. */
export interface Tally {
  /** Portraits with glasses that are found, of so many. */
  readonly foundPortraits: number;
  readonly portraits: number;
  /** Faces with glasses in all pictures that are found, of so many. */
  readonly found: number;
  readonly worn: number;
  /** Persons of photos, and of clips, without glasses who are said to wear some, of so many. */
  readonly falsePersons: number;
  readonly barePersons: number;
  readonly missedNames: readonly string[];
  readonly falseNames: readonly string[];
}

/** Counts what is found, missed and false; faces whose label is unknown count nowhere. */
export function tally(labels: readonly Label[], logOdds: readonly number[]): Tally {
  const known = labels.map((label, k) => ({ label, logOdds: logOdds[k]!, isFound: logOdds[k]! > 0 }));
  const worn = known.filter(({ label }) => label.glasses === 'yes');
  const bare = known.filter(({ label }) => label.glasses === 'no');
  const portraits = worn.filter(({ label }) => label.file.startsWith('portraits/'));
  const wrong = bare.filter(({ isFound }) => isFound);
  const named = (of: typeof known): string[] =>
    of.map(({ label, logOdds: value }) => `${nameOf(label)} ${value.toFixed(1)}`);
  return {
    foundPortraits: portraits.filter(({ isFound }) => isFound).length,
    portraits: portraits.length,
    found: worn.filter(({ isFound }) => isFound).length,
    worn: worn.length,
    falsePersons: personsOf(wrong.map(({ label }) => label)),
    barePersons: personsOf(bare.map(({ label }) => label)),
    missedNames: named(worn.filter(({ isFound }) => !isFound)),
    falseNames: named(wrong),
  };
}

function personsOf(labels: readonly Label[]): number {
  return new Set(labels.map(({ person }) => person)).size;
}

export function printTally(title: string, labels: readonly Label[], logOdds: readonly number[]): void {
  const all = tally(labels, logOdds);
  const bare = labels.filter(({ glasses }) => glasses === 'no').length;
  console.log(title);
  console.log(`  portraits with glasses found: ${all.foundPortraits} of ${all.portraits}`);
  console.log(`  faces with glasses found:     ${all.found} of ${all.worn}`);
  console.log(
    `  faces without, false:         ${all.falseNames.length} of ${bare}, frames of clips among them`,
  );
  console.log(`  persons without, false:       ${all.falsePersons} of ${all.barePersons}`);
  for (const name of all.missedNames) console.log(`  missed: ${name}`);
  for (const name of all.falseNames) console.log(`  false:  ${name}`);
}

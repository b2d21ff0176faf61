import { type Grade, type Grading, likenessOf, medianGrade, seamOf } from './grades.ts';
import type { Key } from './key.ts';
import { type Version, VERSIONS } from './plan-sheets.ts';

/** The graders' median for each version in one showing of a pair; null if nobody graded it. */
export interface Verdict {
  readonly pair: string;
  readonly isRepeat: boolean;
  readonly grades: Readonly<Record<Version, Grade | null>>;
}

/** Uses the key to find which grade belongs to which version. */
export function verdictsOf({ sheets }: Key, gradings: readonly Grading[]): Verdict[] {
  return sheets.map(({ number, pair, versions, isRepeat }) => {
    const medianOf = (version: Version): Grade | null =>
      medianGrade(
        gradings.flatMap(({ grades }) => grades[String(number)]?.[versions.indexOf(version)] ?? []),
      );
    return { pair, isRepeat, grades: { old: medianOf('old'), new: medianOf('new') } };
  });
}

/** Lists the pictures that a grader did not grade, as "12 (picture 2)". */
export function missingGrades({ sheets, refused }: Key, { grades }: Grading): string[] {
  return sheets.flatMap(({ number, pair, versions }) =>
    versions.flatMap((version, at) =>
      refused[version].includes(pair) || grades[String(number)]?.[at]
        ? []
        : [`${number} (picture ${at + 1})`],
    ),
  );
}

/** How often two grades of the same picture agree. */
export interface Agreement {
  readonly pictures: number;
  readonly seam: Meetings;
  readonly likeness: Meetings;
}

interface Meetings {
  readonly same: number;
  readonly withinOne: number;
}

/** Compares the grades of both showings, for all pairs that were shown twice. */
export function repeatAgreement(key: Key, gradings: readonly Grading[]): Agreement {
  const verdicts = verdictsOf(key, gradings);
  return agreementOf(
    verdicts
      .filter(({ isRepeat }) => isRepeat)
      .flatMap(({ pair, grades }) => {
        const first = verdicts.find((verdict) => verdict.pair === pair)!;
        return VERSIONS.map((version) => [first.grades[version], grades[version]] as const);
      }),
  );
}

/** Compares the graders in pairs, over all pictures. */
export function graderAgreement({ sheets }: Key, gradings: readonly Grading[]): Agreement {
  return agreementOf(
    gradings.flatMap((one, at) =>
      gradings
        .slice(at + 1)
        .flatMap((other) =>
          sheets.flatMap(({ number }) =>
            [0, 1].map(
              (side) =>
                [
                  one.grades[String(number)]?.[side] ?? null,
                  other.grades[String(number)]?.[side] ?? null,
                ] as const,
            ),
          ),
        ),
    ),
  );
}

function agreementOf(both: readonly (readonly [Grade | null, Grade | null])[]): Agreement {
  const given = both.filter((pair): pair is readonly [Grade, Grade] => pair[0] !== null && pair[1] !== null);
  return {
    pictures: given.length,
    seam: meetingsOf(given, (grade) => seamOf(grade).charCodeAt(0)),
    likeness: meetingsOf(given, likenessOf),
  };
}

function meetingsOf(both: readonly (readonly [Grade, Grade])[], rank: (grade: Grade) => number): Meetings {
  const steps = both.map(([one, other]) => Math.abs(rank(one) - rank(other)));
  return {
    same: steps.filter((step) => step === 0).length,
    withinOne: steps.filter((step) => step <= 1).length,
  };
}

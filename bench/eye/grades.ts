/** What a grade says of a picture, for people who do not know how it was made. */
export const GRADE_MEANINGS = {
  A: 'a stranger would not notice.',
  B: 'noticed at a second look.',
  C: 'looks pasted or odd at once.',
  D: 'broken, or nothing was swapped.',
} as const;

export type Grade = keyof typeof GRADE_MEANINGS;
/** All grades, the best first. */
export const GRADES = Object.keys(GRADE_MEANINGS) as Grade[];

/** Grades of pictures 1 and 2 of a sheet; null where there is no picture, or none was given yet. */
export type SheetGrades = readonly [Grade | null, Grade | null];

/** What one person saw in a set of sheets. */
export interface Grading {
  readonly grader: string;
  /** The seed of the set, from `sheets.json`. */
  readonly seed: number;
  /** Keyed by the sheet's number. */
  readonly grades: Readonly<Record<string, SheetGrades>>;
}

/** Checks a grading that may be written by hand; `seed` is that of the set. */
export function parseGrading(text: string, seed: number): Grading {
  const { grader, grades, ...rest } = JSON.parse(text) as Grading;
  if (typeof grader !== 'string' || grader === '') throw new Error('grader must be a name.');
  if (rest.seed !== seed)
    throw new Error(`${grader} graded seed ${rest.seed}, these sheets are of seed ${seed}.`);
  for (const [sheet, pair] of Object.entries(grades)) {
    const isRight = Array.isArray(pair) && pair.length === 2 && pair.every(isGradeOrNull);
    if (!isRight) throw new Error(`${grader}, sheet ${sheet}: must be two of "A", "B", "C", "D" or null.`);
  }
  return { grader, seed, grades };
}

/** Returns the middle one; of an even number the worse of the two in the middle. */
export function medianGrade(grades: readonly Grade[]): Grade | null {
  return [...grades].sort()[Math.floor(grades.length / 2)] ?? null;
}

function isGradeOrNull(grade: unknown): boolean {
  return grade === null || GRADES.includes(grade as Grade);
}

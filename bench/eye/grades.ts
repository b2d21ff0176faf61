/** Meaning of each seam, for people who do not know how the picture was made. */
export const SEAM_MEANINGS = {
  A: 'a stranger would not notice.',
  B: 'noticed at a second look.',
  C: 'looks pasted or odd at once.',
  D: 'broken, or nothing was swapped.',
} as const;

/** Meaning of each likeness: whose face a friend of the source would see. */
export const LIKENESS_MEANINGS = {
  5: 'clearly the source.',
  4: 'rather the source.',
  3: 'somebody between the two.',
  2: 'rather the target.',
  1: 'clearly the target.',
} as const;

export type Seam = keyof typeof SEAM_MEANINGS;
export type Likeness = keyof typeof LIKENESS_MEANINGS;
/** A seam and a likeness, such as `B4`. */
export type Grade = `${Seam}${Likeness}`;
/** All seams, from best to worst. */
export const SEAMS = Object.keys(SEAM_MEANINGS) as Seam[];
/** All likenesses, from best to worst. */
export const LIKENESSES = (Object.keys(LIKENESS_MEANINGS).map(Number) as Likeness[]).sort((a, b) => b - a);
/** Smallest likeness with which a face counts as the source's. */
export const ALIKE_FROM = 4;

/** Grades of pictures 1 and 2 of a sheet; null if there is no picture or no grade yet. */
export type SheetGrades = readonly [Grade | null, Grade | null];

/** The grades that one person gave to a set of sheets. */
export interface Grading {
  readonly grader: string;
  /** The seed of the set, from `sheets.json`. */
  readonly seed: number;
  /** Keyed by the sheet's number. */
  readonly grades: Readonly<Record<string, SheetGrades>>;
}

export function seamOf(grade: Grade): Seam {
  return grade[0] as Seam;
}

export function likenessOf(grade: Grade): Likeness {
  return Number(grade[1]) as Likeness;
}

/** Returns whether a stranger would see no seam and a friend would recognise the source. */
export function isGood(grade: Grade): boolean {
  return seamOf(grade) <= 'B' && likenessOf(grade) >= ALIKE_FROM;
}

/** Validates a grading, which may be written by hand. `seed` is the seed of the set. */
export function parseGrading(text: string, seed: number): Grading {
  const { grader, grades, ...rest } = JSON.parse(text) as Grading;
  if (typeof grader !== 'string' || grader === '') throw new Error('grader must be a name.');
  if (rest.seed !== seed)
    throw new Error(`${grader} graded seed ${rest.seed}, these sheets are of seed ${seed}.`);
  for (const [sheet, pair] of Object.entries(grades)) {
    const isRight = Array.isArray(pair) && pair.length === 2 && pair.every(isGradeOrNull);
    if (!isRight)
      throw new Error(
        `${grader}, sheet ${sheet}: must be two grades such as "B4", from A to D and 1 to 5, or null.`,
      );
  }
  return { grader, seed, grades };
}

/**
 * Returns the median seam and the median likeness. For an even number of grades, the worse of the
 * two middle values counts.
 */
export function medianGrade(grades: readonly Grade[]): Grade | null {
  if (grades.length === 0) return null;
  const middle = Math.floor(grades.length / 2);
  const seam = grades.map(seamOf).sort()[middle]!;
  const likeness = grades.map(likenessOf).sort((a, b) => b - a)[middle]!;
  return `${seam}${likeness}`;
}

export function isGrade(grade: unknown): grade is Grade {
  return typeof grade === 'string' && /^[A-D][1-5]$/.test(grade);
}

function isGradeOrNull(grade: unknown): boolean {
  return grade === null || isGrade(grade);
}

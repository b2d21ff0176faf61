import { ALIKE_FROM, type Grade, isGood, likenessOf, type Seam, SEAMS, seamOf } from './grades.ts';
import { CATEGORY_COUNTS, type Category, isHard, type Pair } from './pair-list.ts';
import { type Version, VERSIONS } from './plan-sheets.ts';
import type { Verdict } from './verdicts.ts';

/** Counts of the graded pictures: the number with each seam, and others. */
export interface Counts extends Readonly<Record<Seam, number>> {
  /** Number of pairs that were refused or that nobody graded. */
  readonly none: number;
  /** Sum of all likenesses. */
  readonly likeness: number;
  /** Number of pictures whose face looks like the source. */
  readonly alike: number;
  /** Number of pictures without a seam that look like the source. */
  readonly good: number;
}

export interface TableRow {
  readonly name: string;
  readonly pairs: number;
  readonly counts: Readonly<Record<Version, Counts>>;
}

/**
 * Counts grades by category and version. If a pair was shown twice, only the first showing counts.
 */
export function tableRows(pairs: readonly Pair[], verdicts: readonly Verdict[]): TableRow[] {
  const stills = pairs.filter(({ kind }) => kind === 'still');
  const row = (name: string, some: readonly Pair[]): TableRow => ({
    name,
    pairs: some.length,
    counts: { old: countGrades(some, verdicts, 'old'), new: countGrades(some, verdicts, 'new') },
  });
  return [
    row('all', pairs),
    row('all hard', pairs.filter(isHard)),
    row('portraits', stills),
    ...(Object.keys(CATEGORY_COUNTS) as Category[]).map((category) =>
      row(
        category,
        stills.filter(({ categories }) => categories.includes(category)),
      ),
    ),
    row(
      'groups, faces',
      pairs.filter(({ kind }) => kind === 'group'),
    ),
    row(
      'videos and GIFs',
      pairs.filter(({ kind }) => kind === 'clip'),
    ),
  ].filter((each) => each.pairs > 0);
}

/** Formats the rows as a Markdown table. */
export function formatTable(rows: readonly TableRow[]): string {
  const columns = [...SEAMS, 'none', 'A + B', 'likeness', 'alike', 'good'];
  const head = [
    '',
    'pairs',
    ...VERSIONS.flatMap((version) => columns.map((column) => `${version} ${column}`)),
  ];
  const lines = rows.map(({ name, pairs, counts }) =>
    [name, pairs, ...VERSIONS.flatMap((version) => cells(counts[version]))].join(' | '),
  );
  return [head.join(' | '), head.map(() => '---').join(' | '), ...lines]
    .map((line) => `| ${line} |`)
    .join('\n');
}

function cells(counts: Counts): string[] {
  const graded = SEAMS.reduce((sum, seam) => sum + counts[seam], 0);
  const share = (count: number): string => (graded === 0 ? '' : `${Math.round((100 * count) / graded)} %`);
  return [
    ...SEAMS.map((seam) => `${counts[seam]}`),
    `${counts.none}`,
    share(counts.A + counts.B),
    graded === 0 ? '' : (counts.likeness / graded).toFixed(1),
    share(counts.alike),
    share(counts.good),
  ];
}

function countGrades(pairs: readonly Pair[], verdicts: readonly Verdict[], version: Version): Counts {
  const grades = pairs.map(({ id }) => {
    const verdict = verdicts.find(({ pair, isRepeat }) => pair === id && !isRepeat);
    return verdict?.grades[version] ?? null;
  });
  const given = grades.filter((grade) => grade !== null);
  const count = (holds: (grade: Grade) => boolean): number => given.filter(holds).length;
  const [A, B, C, D] = SEAMS.map((seam) => count((grade) => seamOf(grade) === seam)) as [
    number,
    number,
    number,
    number,
  ];
  return {
    A,
    B,
    C,
    D,
    none: grades.length - given.length,
    likeness: given.reduce((sum, grade) => sum + likenessOf(grade), 0),
    alike: count((grade) => likenessOf(grade) >= ALIKE_FROM),
    good: count(isGood),
  };
}

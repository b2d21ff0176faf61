import { type Grade, GRADES } from './grades.ts';
import { CATEGORY_COUNTS, type Category, isHard, type Pair } from './pair-list.ts';
import { type Version, VERSIONS } from './plan-sheets.ts';
import type { Verdict } from './verdicts.ts';

/** Pictures of each grade, and pairs that were refused or that nobody graded. */
export type Counts = Readonly<Record<Grade | 'none', number>>;

export interface TableRow {
  readonly name: string;
  readonly pairs: number;
  readonly counts: Readonly<Record<Version, Counts>>;
}

/**
 * Counts grades by category and version; of pairs that were shown twice the first showing counts.
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
  ];
}

/** Writes the rows as a table in Markdown. */
export function formatTable(rows: readonly TableRow[]): string {
  const columns = [...GRADES, 'none', 'A + B'];
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
  const graded = GRADES.reduce((sum, grade) => sum + counts[grade], 0);
  const good = graded === 0 ? '' : `${Math.round((100 * (counts.A + counts.B)) / graded)} %`;
  return [...GRADES.map((grade) => `${counts[grade]}`), `${counts.none}`, good];
}

function countGrades(pairs: readonly Pair[], verdicts: readonly Verdict[], version: Version): Counts {
  const counts = { A: 0, B: 0, C: 0, D: 0, none: 0 };
  for (const { id } of pairs) {
    const verdict = verdicts.find(({ pair, isRepeat }) => pair === id && !isRepeat);
    counts[verdict?.grades[version] ?? 'none'] += 1;
  }
  return counts;
}

import { meanOf, quantile } from './face-pair.ts';
import type { MeasuredDefect } from './measure-defects.ts';

/** Header of the table. */
const HEAD = ['defect', 'unit', 'pairs', 'mean', 'nine of ten', 'worst', 'goal', 'reached'] as const;

/** Formats the measures as a Markdown table. */
export function defectTable(measured: readonly MeasuredDefect[]): string {
  const rows = measured.map(({ name, unit, goal, figures }) => {
    if (figures.length === 0) return [name, unit, '0', '', '', '', `${goal}`, ''];
    const values = figures.map(({ value }) => value);
    const worst = figures.toSorted((a, b) => b.value - a.value)[0]!;
    const mean = meanOf(values);
    return [
      name,
      unit,
      String(figures.length),
      mean.toFixed(2),
      quantile(values, 0.9).toFixed(2),
      `${worst.value.toFixed(2)} (${worst.pair})`,
      `${goal}`,
      mean <= goal ? 'yes' : 'no',
    ];
  });
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

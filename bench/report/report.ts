import { type Figure, isMet } from './figures.ts';

/** A group of figures. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly figures: readonly Figure[];
}

export type Machine = Readonly<Record<string, string | number>>;

/**
 * Formats the figures as one JSON object: `machine`, and by section and name the `value`, the
 * `unit`, the `goal` of each figure, and whether the goal is `met`.
 */
export function asJson(machine: Machine, sections: readonly Section[]): string {
  const entries = sections.map(({ name, figures }) => [
    name,
    Object.fromEntries(
      figures.map((figure) => {
        const { name: figureName, ...rest } = figure;
        const met = isMet(figure);
        return [figureName, met === null ? rest : { ...rest, met }];
      }),
    ),
  ]);
  return JSON.stringify({ machine, ...(Object.fromEntries(entries) as object) });
}

const NAME_WIDTH = 46;
const VALUE_WIDTH = 12;

/** Formats the figures as a table with a line for each: name, value, goal, met or missed. */
export function asTable(machine: Machine, sections: readonly Section[]): string {
  const lines = [Object.values(machine).join(', ')];
  for (const { title, figures } of sections) {
    lines.push('', title);
    for (const figure of figures) lines.push(lineOf(figure));
  }
  const missed = sections.flatMap(({ figures }) => figures.filter((figure) => isMet(figure) === false));
  lines.push('', missed.length === 0 ? 'Every goal is met.' : `${missed.length} goals are missed.`);
  return `${lines.join('\n')}\n`;
}

function lineOf(figure: Figure): string {
  const { name, value, unit, goal } = figure;
  const start = `  ${name.padEnd(NAME_WIDTH)} ${String(value).padStart(VALUE_WIDTH)} ${unit}`;
  if (goal === undefined) return start.trimEnd();
  const wanted = 'atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`;
  return `${start.padEnd(NAME_WIDTH + VALUE_WIDTH + 14)} ${wanted.padEnd(10)} ${isMet(figure) ? 'met' : 'MISSED'}`;
}

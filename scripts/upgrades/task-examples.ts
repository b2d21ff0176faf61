import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TaskResult, WorkSpec } from '@guise/server/tasks/task.ts';

/** Examples of what the tasks table holds as JSON. */
export interface TaskExamples {
  readonly work: readonly WorkSpec[];
  readonly results: readonly TaskResult[];
}

/** Reads what `record-statements.ts` wrote into a folder: one example of each set of fields. */
export function readExamples(folder: string): TaskExamples {
  const work = new Map<string, WorkSpec>();
  const results = new Map<string, TaskResult>();
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.tasks'))) {
    for (const line of readFileSync(path.join(folder, file), 'utf8').trimEnd().split('\n')) {
      const value = JSON.parse(line) as object;
      if ('kind' in value) work.set(shapeOf(value), shortened(value) as WorkSpec);
      else if ('outputs' in value) results.set(shapeOf(value), shortened(value) as TaskResult);
    }
  }
  return { work: inOrder(work), results: inOrder(results) };
}

/** Writes examples as a module that the compiler checks against the types of the day. */
export function exampleModule(version: string, { work, results }: TaskExamples): string {
  return `// Made by \`npm run statements\` from version ${version}. Do not edit: the compiler says whether
// this version reads it.
import type { TaskResult, WorkSpec } from '@guise/server/tasks/task.ts';

/** Work of tasks that processes of that version create. */
export const RELEASED_WORK = ${JSON.stringify(work)} satisfies readonly WorkSpec[];

/** Results that its workers write. */
export const RELEASED_RESULTS = ${JSON.stringify(results)} satisfies readonly TaskResult[];
`;
}

function inOrder<T>(examples: ReadonlyMap<string, T>): T[] {
  return [...examples].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, example]) => example);
}

/** Leaves one object of each shape in every list of objects. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]));
  }
  const isOfObjects = value.every((each) => typeof each === 'object' && each !== null);
  const kept = isOfObjects ? [...new Map(value.map((each) => [shapeOf(each), each])).values()] : value;
  return kept.map(shortened);
}

/** Names all fields of a value, whatever they hold; of a list those of all its elements. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join()}]`;
  if (typeof value !== 'object' || value === null) return typeof value;
  const { kind = '' } = value as { kind?: unknown };
  const fields = Object.entries(value).map(([name, each]) => `${name}:${shapeOf(each)}`);
  return `${String(kind)}{${fields.sort().join()}}`;
}

import type { TakenForm } from '../../intake/take-form.ts';
import type { StoredInput } from '../../tasks/task.ts';

/** Presents the fields after defaults, and the facts of each file (docs/spec/ai-tasks#task). */
export function presentParameters({
  choices,
  promises,
  numbers,
  boxes,
  inputs,
  lists,
}: TakenForm): Record<string, unknown> {
  return {
    ...choices,
    ...promises,
    ...numbers,
    ...boxes,
    ...mapValues(inputs, presentInput),
    ...mapValues(lists, (list) => list.map(presentInput)),
  };
}

function presentInput(input: StoredInput): Record<string, unknown> {
  return {
    name: input.fileName,
    type: input.contentType,
    bytes: input.sizeBytes,
    width: input.width,
    height: input.height,
    ...(input.durationSeconds === undefined ? {} : { durationSeconds: input.durationSeconds }),
  };
}

function mapValues<T>(
  record: Readonly<Record<string, T>>,
  map: (value: T) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

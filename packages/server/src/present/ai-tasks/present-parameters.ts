import type { StoredInput } from '../../tasks/task.ts';

/** The checked fields of a form, by kind. */
interface CheckedFields {
  readonly choices: Readonly<Record<string, unknown>>;
  readonly guarantees: Readonly<Record<string, unknown>>;
  readonly switches: Readonly<Record<string, unknown>>;
  readonly numbers: Readonly<Record<string, unknown>>;
  readonly texts: Readonly<Record<string, unknown>>;
  readonly savedFaces: ReadonlyMap<string, { readonly id: string }>;
  readonly boxes: Readonly<Record<string, unknown>>;
  readonly persons: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, StoredInput>>;
  /** Files of fields that accept several files. */
  readonly lists: Readonly<Record<string, readonly StoredInput[]>>;
}

/** Presents the fields, including defaults, and facts about each file (docs/spec/ai-tasks#task). */
export function presentParameters({
  choices,
  guarantees,
  switches,
  numbers,
  texts,
  savedFaces,
  boxes,
  persons,
  inputs,
  lists,
}: CheckedFields): Record<string, unknown> {
  return {
    ...choices,
    ...guarantees,
    ...switches,
    ...numbers,
    ...texts,
    ...Object.fromEntries(Array.from(savedFaces, ([field, { id }]) => [field, id])),
    ...boxes,
    ...persons,
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

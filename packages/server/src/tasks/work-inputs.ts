import type { StoredInput, WorkSpec } from './task.ts';

/** Copies an order and replaces every stored file. */
export function mapInputs(work: WorkSpec, map: (input: StoredInput) => StoredInput): WorkSpec {
  return mapWithin(work, map) as WorkSpec;
}

function mapWithin(value: unknown, map: (input: StoredInput) => StoredInput): unknown {
  if (Array.isArray(value)) return value.map((each) => mapWithin(each, map));
  if (typeof value !== 'object' || value === null) return value;
  // Only stored files have an `objectKey`.
  if ('objectKey' in value) return map(value as StoredInput);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapWithin(each, map)]));
}

/** Returns each file that the order reads once. */
export function inputsOf(work: WorkSpec): StoredInput[] {
  const found = new Map<string, StoredInput>();
  mapInputs(work, (input) => {
    found.set(input.objectKey, input);
    return input;
  });
  return [...found.values()];
}

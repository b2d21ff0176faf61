import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';

/** Joins two lists of warnings. Leaves out those of the second list that the first already has. */
export function joinWarnings(first: readonly Warning[], second: readonly Warning[]): readonly Warning[] {
  const known = new Set(first.map(keyOf));
  return [...first, ...second.filter((warning) => !known.has(keyOf(warning)))];
}

function keyOf({ field, code, role }: Warning): string {
  return `${field} ${role} ${code}`;
}

import type { Gate, Offence } from './gate.ts';

/** Number of offences that each file may still have, by gate; `gates.json` holds one. */
export type Allowlist = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Verdict {
  /** Offences of files that have more of them than they may. */
  readonly offences: readonly Offence[];
  /** Files that now have fewer offences than the list allows them. */
  readonly loose: readonly { gate: string; file: string; allowed: number; found: number }[];
}

/**
 * Returns the list of all that was found, which may be larger than the one before. Strict gates are
 * left out: what breaks their rule is mended and not listed.
 */
export function rebase(allowed: Allowlist, found: ReadonlyMap<Gate, readonly Offence[]>): Allowlist {
  const listed = [...found].filter(([gate]) => !gate.isStrict);
  return { ...allowed, ...countOffences(new Map(listed)) };
}

/** Counts what was found, in the form of an allowlist sorted by gate and file. */
export function countOffences(found: ReadonlyMap<Gate, readonly Offence[]>): Allowlist {
  return Object.fromEntries(
    [...found].map(([gate, offences]) => {
      const counts = [...Map.groupBy(offences, ({ file }) => file)]
        .map(([file, { length }]) => [file, length] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      return [gate.name, Object.fromEntries(counts)];
    }),
  );
}

/** Compares what was found with what is allowed. */
export function compareWithAllowlist(
  allowed: Allowlist,
  found: ReadonlyMap<Gate, readonly Offence[]>,
): Verdict {
  const counts = countOffences(found);
  const offences = [...found].flatMap(([gate, all]) =>
    all.filter(({ file }) => counts[gate.name]![file]! > (allowed[gate.name]?.[file] ?? 0)),
  );
  const loose = [...found.keys()].flatMap((gate) =>
    Object.entries(allowed[gate.name] ?? {}).flatMap(([file, limit]) => {
      const count = counts[gate.name]![file] ?? 0;
      return count < limit ? [{ gate: gate.name, file, allowed: limit, found: count }] : [];
    }),
  );
  return { offences, loose };
}

/** Returns the list without what is no longer needed; no count grows. */
export function tighten(allowed: Allowlist, counts: Allowlist): Allowlist {
  return Object.fromEntries(
    Object.entries(allowed).map(([gate, files]) => [
      gate,
      Object.fromEntries(
        Object.entries(files)
          .map(([file, limit]) => [file, Math.min(limit, counts[gate]?.[file] ?? 0)] as const)
          .filter(([, limit]) => limit > 0),
      ),
    ]),
  );
}

export function totalOf(allowed: Allowlist, gate: string): number {
  return Object.values(allowed[gate] ?? {}).reduce((sum, count) => sum + count, 0);
}

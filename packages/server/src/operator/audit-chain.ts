import { createHash } from 'node:crypto';

/** Kinds of names that an entry can contain, and that leave it when an account is deleted. */
type Name = 'operator' | 'account' | 'invited';

/** An entry of the audit log as it is exported. Its hash is in docs/guide/audit.md. */
export interface ChainedEntry {
  readonly id: number;
  /** UTC, with six digits of a second. */
  readonly createdAt: string;
  readonly operatorId: string | null;
  readonly operatorEmail: string;
  readonly accountId: string | null;
  readonly accountEmail: string | null;
  /** Address that an invitation was made for. */
  readonly invitedEmail: string | null;
  readonly action: string;
  /** JSON as PostgreSQL writes it, because the hash is made from this text. */
  readonly details: string;
  /** Salts of the names; that of a forgotten name is missing. */
  readonly salts: Readonly<Partial<Record<Name, string>>> | null;
  readonly seals: Readonly<Record<Name, string>> | null;
  readonly previousHash: string | null;
  readonly hash: string | null;
}

/** Newest entry of a chain. */
export interface ChainHead {
  readonly id: number;
  readonly hash: string;
}

/** Result of a check. */
export interface ChainReport {
  readonly intact: boolean;
  /** Number of entries that are intact, from the oldest on. */
  readonly entries: number;
  /** Number of these that no longer name somebody who deleted their account. */
  readonly forgotten: number;
  /** Newest of the intact entries; id 0 if there is none. */
  readonly newest: ChainHead;
  readonly problem: ChainProblem | null;
}

/** First entry that is wrong, and what is wrong with it. */
export interface ChainProblem {
  readonly entry: number;
  readonly kind: 'changed' | 'missing before' | 'missing after';
}

/** Stand-in for the entry before the first. */
const START: ChainHead = { id: 0, hash: '0'.repeat(64) };

/** Names of the fields of an exported entry. */
const FIELDS = [
  'id',
  'createdAt',
  'operatorId',
  'operatorEmail',
  'accountId',
  'accountEmail',
  'invitedEmail',
  'action',
  'details',
  'salts',
  'seals',
  'previousHash',
  'hash',
] as const satisfies readonly (keyof ChainedEntry)[];

/**
 * Checks entries from the oldest on, and stops at the first that is wrong.
 * @param head entry that the log says is its newest; null for an export, which does not say it
 */
export async function checkChain(
  entries: AsyncIterable<ChainedEntry>,
  head: ChainHead | null,
): Promise<ChainReport> {
  let newest = START;
  let count = 0;
  let forgotten = 0;
  const report = (problem: ChainProblem | null): ChainReport => ({
    intact: problem === null,
    entries: count,
    forgotten,
    newest,
    problem,
  });
  for await (const entry of entries) {
    const { id, hash } = entry;
    const isReplaced = head !== null && id === head.id && hash !== head.hash;
    if (hash === null || isReplaced || !isUnchanged(entry)) return report({ entry: id, kind: 'changed' });
    if (entry.previousHash !== newest.hash) return report({ entry: id, kind: 'missing before' });
    newest = { id, hash };
    count += 1;
    if (Object.keys(entry.salts!).length < Object.keys(entry.seals!).length) forgotten += 1;
  }
  const isCut = head !== null && newest.id < head.id;
  return report(isCut ? { entry: newest.id, kind: 'missing after' } : null);
}

/** Reads a line of an export. @returns null if it is not an entry. */
export function parseEntry(line: string): ChainedEntry | null {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return null;
  }
  // A field that no hash covers could say anything.
  const isEntry =
    typeof entry === 'object' &&
    entry !== null &&
    Object.keys(entry).toSorted().join() === FIELDS.toSorted().join();
  return isEntry ? (entry as ChainedEntry) : null;
}

function isUnchanged(entry: ChainedEntry): boolean {
  const { operatorId, operatorEmail, accountId, accountEmail, invitedEmail, salts, seals } = entry;
  if (salts === null || seals === null) return false;
  const isSealed = (name: Name, values: readonly (string | null)[], isForgotten: boolean): boolean => {
    const salt = salts[name];
    return salt === undefined ? isForgotten : hashOf([salt, ...values]) === seals[name];
  };
  return (
    isSealed(
      'operator',
      [operatorId, operatorEmail],
      operatorId === null && operatorEmail.startsWith('deleted-'),
    ) &&
    isSealed('account', [accountId, accountEmail], accountId === null && accountEmail === null) &&
    isSealed('invited', [invitedEmail], invitedEmail === null) &&
    entry.hash ===
      hashOf([
        entry.previousHash,
        entry.id,
        entry.createdAt,
        seals.operator,
        seals.account,
        seals.invited,
        entry.details,
        entry.action,
      ])
  );
}

/** Returns the SHA-256 of values, each on a line of its own. */
function hashOf(values: readonly (string | number | null)[]): string {
  return createHash('sha256')
    .update(values.map((value) => value ?? '').join('\n'))
    .digest('hex');
}

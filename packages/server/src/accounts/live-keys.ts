import type { Database } from '../db/database.ts';

/** Returns those hashes, in hex, whose keys are valid and whose accounts are active. */
export async function readLiveKeys(db: Database, hashes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await db.pool.query<{ hash: Buffer }>({
    name: 'live-keys',
    text: `select k.hash from api_keys k join accounts a on a.id = k.account_id
      where k.hash = any($1::bytea[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        and a.suspended_at is null`,
    values: [hashes],
  });
  return new Set(rows.map(({ hash }) => hash.toString('hex')));
}

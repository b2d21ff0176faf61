import type { Database } from '../db/database.ts';
import type { ChainedEntry, ChainHead } from './audit-chain.ts';

/** Number of entries that one statement reads. */
const PAGE_SIZE = 1000;

/** Reads all entries of the audit log, oldest first, page by page. */
export async function* readChain(db: Database): AsyncGenerator<ChainedEntry> {
  for (let after: number | null = null; ;) {
    const { rows }: { rows: ChainedEntry[] } = await db.pool.query<ChainedEntry>(
      `select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
         operator_id as "operatorId", operator_email as "operatorEmail", account_id as "accountId",
         account_email as "accountEmail", details->>'email' as "invitedEmail", action,
         (details - 'email')::text as details, salts, seals, previous_hash as "previousHash", hash
       from operator_actions where $1::bigint is null or id > $1 order by id limit $2`,
      [after, PAGE_SIZE],
    );
    yield* rows;
    if (rows.length < PAGE_SIZE) return;
    after = rows.at(-1)!.id;
  }
}

/** Reads which entry the log says is its newest. Entries that are added later follow it. */
export async function readHead(db: Database): Promise<ChainHead> {
  const { rows } = await db.pool.query<ChainHead>('select entry_id as id, hash from audit_head');
  return rows[0]!;
}

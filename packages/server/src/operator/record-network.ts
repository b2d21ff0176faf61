import type { Database } from '../db/database.ts';
import { COMMAND_LINE, writeAudit } from './audit.ts';

/** A network that an operator has added to a machine. */
export interface AddedNetwork {
  readonly network: string;
  readonly protocol: string;
  readonly sha256: string;
  /** Who said that it may be used. */
  readonly rightConfirmedBy: string;
  readonly addedAt: string;
  readonly host: string;
}

/** Writes to the audit log that a network was added to a machine, unless it says so already. */
export async function recordNetwork(db: Database, added: AddedNetwork): Promise<void> {
  const known = await db.pool.query(
    `select from operator_actions where action = 'network.add' and details @> $1::jsonb limit 1`,
    [JSON.stringify(added)],
  );
  if (known.rowCount === 0)
    await writeAudit(db.pool, COMMAND_LINE, null, { action: 'network.add', details: { ...added } });
}

import type { Database } from '../db/database.ts';
import { writeAudit } from './audit.ts';

/** Who writes to the audit log that a face was refused. */
const WORKER = { id: null, email: 'worker' };

/** A task that showed a face of the blocklist. */
interface RefusedFace {
  readonly taskId: string;
  readonly field: string;
  readonly personId: string;
  readonly distance: number;
}

/** Writes to the audit log that a task was refused because of a face. */
export async function recordBlockedFace({ pool }: Database, refused: RefusedFace): Promise<void> {
  const { rows } = await pool.query<{ id: string; email: string }>(
    'select a.id, a.email from tasks t join accounts a on a.id = t.account_id where t.id = $1',
    [refused.taskId],
  );
  const details = { ...refused, distance: Math.round(1000 * refused.distance) / 1000 };
  await writeAudit(pool, WORKER, rows[0] ?? null, { action: 'face.block', details });
}

import { AppError } from '@guise/contract/errors.ts';
import { type AccountLimits, GIBIBYTE } from '@guise/contract/plans.ts';
import type { Queryable } from '../db/database.ts';

/**
 * Time after which a client at its task limit should try again. Nobody knows when a task ends, so
 * this is the longest interval of the polling guidance.
 */
const WAITING_RETRY_SECONDS = 30;

/** Shortest time after which a client at its output limit should try again. */
const OUTPUTS_RETRY_SECONDS = 60;

/**
 * Time for which a sum of kept results is cached. The sum grows slowly and takes a while to
 * compute.
 */
const SUM_LIFETIME_MS = 30_000;

/** Largest number of accounts whose sums are cached. Beyond this, the whole cache is cleared. */
const MAX_SUMS = 10_000;

/** Results of an account that have not been deleted yet. */
interface KeptOutputs {
  readonly bytes: number;
  /** Seconds until the oldest result is deleted; 0 if there is none. */
  readonly seconds: number;
  readonly readAtMs: number;
}

/** Cached sums by account. */
const sums = new Map<string, KeptOutputs>();

/**
 * Refuses a new task of an account that is at its limits. Concurrent requests are not counted, so
 * they may exceed a limit by their number.
 * @throws AppError TASK_LIMIT, OUTPUT_LIMIT
 */
export async function checkAccountLimits(
  db: Queryable,
  accountId: string,
  limits: AccountLimits,
): Promise<void> {
  if (limits.waitingTasks !== null) await checkWaiting(db, accountId, limits.waitingTasks);
  if (limits.keptOutputBytes !== null) await checkKept(db, accountId, limits.keptOutputBytes);
}

async function checkWaiting(db: Queryable, accountId: string, limit: number): Promise<void> {
  const { rows } = await db.query<{ waiting: number }>({
    name: 'count-waiting-tasks',
    text: `select count(*) as waiting from
      (select from tasks where account_id = $1 and status = 'PENDING' limit $2) as first`,
    values: [accountId, limit],
  });
  if (rows[0]!.waiting < limit) return;
  throw new AppError(
    'TASK_LIMIT',
    `Your plan allows ${limit} waiting tasks at a time; try again in ${WAITING_RETRY_SECONDS} seconds.`,
    { limit, resetSeconds: WAITING_RETRY_SECONDS },
  );
}

async function checkKept(db: Queryable, accountId: string, limit: number): Promise<void> {
  const { bytes, seconds } = await keptOutputs(db, accountId);
  if (bytes < limit) return;
  const resetSeconds = Math.max(OUTPUTS_RETRY_SECONDS, Math.ceil(seconds));
  throw new AppError(
    'OUTPUT_LIMIT',
    `Your plan stores up to ${Math.round((limit / GIBIBYTE) * 100) / 100} GiB of results, and this limit is reached. The oldest result is deleted in ${resetSeconds} seconds.`,
    { limit, resetSeconds },
  );
}

async function keptOutputs(db: Queryable, accountId: string): Promise<KeptOutputs> {
  const remembered = sums.get(accountId);
  if (remembered !== undefined && performance.now() - remembered.readAtMs < SUM_LIFETIME_MS)
    return remembered;
  const { rows } = await db.query<{ bytes: number; seconds: number }>({
    name: 'sum-kept-outputs',
    text: `select coalesce(sum(size_bytes), 0)::bigint as bytes,
        coalesce(extract(epoch from min(delete_after) - now()), 0)::float8 as seconds
      from objects where kind = 'output' and account_id = $1 and delete_after > now()`,
    values: [accountId],
  });
  const kept = { ...rows[0]!, readAtMs: performance.now() };
  if (sums.size >= MAX_SUMS) sums.clear();
  sums.set(accountId, kept);
  return kept;
}

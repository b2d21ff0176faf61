import { AppError } from '@guise/contract/errors.ts';
import type { Queryable } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import type { NewTask } from './task.ts';

/**
 * Time after which a refused client should try again. Nobody knows when a batch ends, so this is
 * the longest interval of the polling guidance.
 */
const RETRY_AFTER_SECONDS = 30;

/**
 * Refuses a new task beyond the limit. Locks the account until the transaction ends, so that
 * concurrent requests cannot exceed the limit together.
 * @param limit most unfinished tasks of this interface and type, including the new one.
 * @throws AppError CONCURRENT_BATCH_LIMIT
 */
export async function checkUnfinished(client: Transaction, newTask: NewTask, limit: number): Promise<void> {
  const { accountId } = newTask;
  // With `for update`, two concurrent requests with an `Idempotency-Key` would deadlock: each holds
  // a shared lock on the account, because of the foreign key of its key.
  await client.query({
    name: 'lock-account',
    text: 'select 1 from accounts where id = $1 for no key update',
    values: [accountId],
  });
  // A separate statement takes its snapshot after the wait for the lock.
  await refuseBeyond(client, newTask, limit);
}

/**
 * Refuses a new task beyond the limit without locking the account. A task that passes may still be
 * refused when it is created.
 */
export async function refuseBeyond(
  db: Queryable,
  { accountId, interface: of, type }: Pick<NewTask, 'accountId' | 'interface' | 'type'>,
  limit: number,
): Promise<void> {
  // Two subqueries, because each can use a small partial index.
  const { rows } = await db.query<{ unfinished: number }>({
    name: 'count-unfinished',
    text: `select
        (select count(*) from tasks where status = 'PENDING'
          and account_id = $1 and interface = $2 and type = $3 and not hidden)
        + (select count(*) from tasks where status = 'PROCESSING'
          and account_id = $1 and interface = $2 and type = $3 and not hidden) as unfinished`,
    values: [accountId, of, type],
  });
  if (rows[0]!.unfinished < limit) return;
  const allowed = limit === 1 ? 'one batch' : `${limit} batches`;
  throw new AppError('CONCURRENT_BATCH_LIMIT', `Your plan allows ${allowed} at a time.`, {
    limit,
    resetSeconds: RETRY_AFTER_SECONDS,
  });
}

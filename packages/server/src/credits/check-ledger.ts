import type { Database } from '../db/database.ts';

interface Mismatch {
  readonly problem: string;
  readonly account_id: string;
}

/**
 * Checks the rules of the ledger over the whole database in one snapshot: balances are the sums of
 * their ledger rows, held credits are those of unfinished tasks, and every finished task was
 * settled according to its cost.
 * @returns one sentence for each violation.
 */
export async function checkLedger(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<Mismatch>(`
    with sums as (
      select account_id, sum(available_change)::bigint as available, sum(held_change)::bigint as held
      from credit_entries group by account_id
    ), task_sums as (
      select t.id, t.account_id, t.status, t.cost_credits,
        coalesce(-sum(e.available_change) filter (where e.kind = 'hold'), 0) as hold,
        coalesce(-sum(e.held_change) filter (where e.kind = 'capture'), 0) as captured,
        coalesce(sum(e.available_change) filter (where e.kind = 'release'), 0) as released
      from tasks t left join credit_entries e on e.task_id = t.id
      group by t.id
    ), unfinished as (
      select account_id, sum(cost_credits)::bigint as held from tasks
      where status in ('PENDING', 'PROCESSING') group by account_id
    ), last as (
      select distinct on (account_id) account_id, available_after, held_after
      from credit_entries order by account_id, id desc
    )
    select 'available is not the sum of the ledger' as problem, a.id as account_id
      from accounts a left join sums s on s.account_id = a.id where a.credits_available <> coalesce(s.available, 0)
    union all select 'held is not the sum of the ledger', a.id
      from accounts a left join sums s on s.account_id = a.id where a.credits_held <> coalesce(s.held, 0)
    union all select 'held is not what unfinished tasks hold', a.id
      from accounts a left join unfinished u on u.account_id = a.id where a.credits_held <> coalesce(u.held, 0)
    union all select 'the last ledger row disagrees with the balance', a.id
      from accounts a join last l on l.account_id = a.id
      where (l.available_after, l.held_after) <> (a.credits_available, a.credits_held)
    union all select 'unfinished task ' || id || ' does not hold its cost', account_id from task_sums
      where status in ('PENDING', 'PROCESSING') and (hold <> cost_credits or captured <> 0 or released <> 0)
    union all select 'finished task ' || id || ' is not settled at its cost', account_id from task_sums
      where status not in ('PENDING', 'PROCESSING') and (captured <> cost_credits or captured + released <> hold)
    union all select 'a task that failed was charged: ' || id, account_id from task_sums
      where status = 'FAILED' and captured <> 0`);
  return rows.map((row) => `${row.problem} (account ${row.account_id})`);
}

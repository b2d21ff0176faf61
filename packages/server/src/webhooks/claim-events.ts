import type { Database } from '../db/database.ts';

export interface ClaimOptions {
  /** Largest number of events to claim. */
  readonly capacity: number;
  /**
   * Largest number of concurrent attempts at one endpoint (an account's origin), over all senders.
   */
  readonly perEndpoint: number;
  /** Largest number of concurrent attempts of one account, over all senders. */
  readonly perAccount: number;
  /** Length of the lease, longer than any attempt. After it, the sender is considered dead. */
  readonly leaseMs: number;
}

/** An event that this sender may attempt until its lease expires. */
export interface ClaimedEvent {
  readonly id: string;
  readonly taskId: string;
  readonly url: string;
  /** Body; null if the event was never attempted. */
  readonly body: string | null;
  readonly failures: number;
  readonly leaseToken: string;
  /** Secrets that sign the event, the current one first. */
  readonly secrets: readonly string[];
}

/**
 * Claims due events, beginning with accounts that have the fewest running attempts. All events of a
 * dead endpoint are skipped by one index lookup. Events of suspended accounts wait. No two senders
 * get the same event; at worst, a sender gets fewer events than possible.
 */
export async function claimEvents(db: Database, options: ClaimOptions): Promise<ClaimedEvent[]> {
  const { rows } = await db.pool.query<ClaimedEvent>({
    name: 'claim-webhook-events',
    text: CLAIM,
    values: [options.perEndpoint, options.perAccount, options.capacity, options.leaseMs],
  });
  return rows;
}

/**
 * Frees the events of killed senders at once. Only for a start at which no other sender can be
 * alive.
 */
export async function freeLeases(db: Database): Promise<void> {
  await db.pool.query(
    `update webhook_events set lease_token = null, next_attempt_at = now() where lease_token is not null`,
  );
}

/**
 * SQL of a claim. It uses now() and not clock_timestamp(), because index lookups need a stable
 * function.
 */
const CLAIM = `with recursive endpoints as (
    (select account_id, origin from webhook_events where status = 'pending' order by account_id, origin limit 1)
    union all
    select further.account_id, further.origin from endpoints cross join lateral (
      select account_id, origin from webhook_events
      where status = 'pending' and (account_id, origin) > (endpoints.account_id, endpoints.origin)
      order by account_id, origin limit 1
    ) further
  ), leased as (
    select account_id, origin, count(*) as events, sum(count(*)) over (partition by account_id) as account_events
    from webhook_events where lease_token is not null and next_attempt_at > now() group by account_id, origin
  ), leased_accounts as (
    select distinct account_id, account_events from leased
  ), due as (
    select endpoints.account_id, event.id, event.next_attempt_at,
      coalesce(leased_accounts.account_events, 0) as account_events,
      row_number() over (partition by endpoints.account_id, endpoints.origin order by event.next_attempt_at)
        + coalesce(leased.events, 0) as place
    from endpoints
    join accounts on accounts.id = endpoints.account_id and accounts.suspended_at is null
    left join leased on leased.account_id = endpoints.account_id and leased.origin = endpoints.origin
    left join leased_accounts on leased_accounts.account_id = endpoints.account_id
    cross join lateral (
      select id, next_attempt_at from webhook_events
      where status = 'pending' and account_id = endpoints.account_id and origin = endpoints.origin
        and next_attempt_at <= now()
      order by next_attempt_at limit $1
    ) event
  ), ranked as (
    select id, next_attempt_at,
      row_number() over (partition by account_id order by place, next_attempt_at) + account_events as account_place
    from due where place <= $1
  ), chosen as (
    select id from ranked where account_place <= $2 order by account_place, next_attempt_at limit $3
  ), free as (
    select id from webhook_events
    where id in (select id from chosen) and status = 'pending' and next_attempt_at <= now()
    for update skip locked
  )
  update webhook_events event set
    lease_token = gen_random_uuid(),
    next_attempt_at = clock_timestamp() + $4::float8 * interval '1 ms'
  from free, accounts
  where event.id = free.id and accounts.id = event.account_id
  returning event.id, event.task_id as "taskId", event.url, event.body, event.failures,
    event.lease_token as "leaseToken",
    case when accounts.previous_webhook_secret_until > now()
      then array[accounts.webhook_secret, accounts.previous_webhook_secret]
      else array[accounts.webhook_secret] end as secrets`;

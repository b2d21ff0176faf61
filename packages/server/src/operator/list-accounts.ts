import { ACCOUNT_COLUMNS, type Account } from '../accounts/account.ts';
import type { Database } from '../db/database.ts';

export interface AccountDetail {
  readonly activeKeys: number;
  readonly sessions: number;
  readonly tasks: {
    readonly pending: number;
    readonly processing: number;
    readonly completed: number;
    readonly failed: number;
    readonly cancelled: number;
  };
  readonly storage: { readonly objects: number; readonly bytes: number };
}

/**
 * Lists a page of all accounts, newest first.
 * @param search part of an email address or a name.
 * @param page.after id of the last account of the previous page.
 */
export async function listAccounts(
  db: Database,
  search: string,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<Account[]> {
  const { rows } = await db.pool.query<Account>(
    `select ${ACCOUNT_COLUMNS} from accounts
     where ($1 = '' or position(lower($1) in email) > 0 or position(lower($1) in lower(name)) > 0)
       and ($2::uuid is null or (created_at, id) < (select created_at, id from accounts where id = $2))
     order by created_at desc, id desc limit $3`,
    [search, after, limit],
  );
  return rows;
}

/** Counts an account's keys, sessions, tasks and more. */
export async function readAccountDetail(db: Database, accountId: string): Promise<AccountDetail> {
  const { rows } = await db.pool.query<{
    keys: number;
    sessions: number;
    pending: number;
    processing: number;
    completed: number;
    failed: number;
    cancelled: number;
    objects: number;
    bytes: number;
  }>(
    `select
       (select count(*) from api_keys where account_id = $1 and revoked_at is null and session_id is null) as keys,
       (select count(*) from sessions where account_id = $1 and expires_at > now()) as sessions,
       t.*, o.*
     from (select count(*) filter (where status = 'PENDING') as pending,
         count(*) filter (where status = 'PROCESSING') as processing,
         count(*) filter (where status = 'COMPLETED') as completed,
         count(*) filter (where status = 'FAILED') as failed,
         count(*) filter (where status = 'CANCELLED') as cancelled
       from tasks where account_id = $1 and not hidden) t,
       (select count(*) as objects, coalesce(sum(size_bytes), 0)::bigint as bytes
        from objects where account_id = $1) o`,
    [accountId],
  );
  const { keys, sessions, objects, bytes, ...tasks } = rows[0]!;
  return { activeKeys: keys, sessions, tasks, storage: { objects, bytes } };
}

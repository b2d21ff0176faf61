import type { Database } from '../db/database.ts';
import type { TaskResult } from '../tasks/task.ts';

/** A line of an export. */
export interface ExportedRecord {
  /** What it is: `account`, `face`, `task`... */
  readonly record: string;
  readonly [member: string]: unknown;
}

/** A kind of record, as SQL for one page after `$2`, at most `$3` rows, sorted by `id`. */
interface Kind {
  readonly record: string;
  readonly sql: string;
  /** Leaves out what only the service needs. */
  readonly shown?: (row: Record<string, unknown>) => Record<string, unknown>;
}

/** Number of rows that are read at once. */
const PAGE_ROWS = 500;

/** Everything that an account holds, but for secrets and their hashes. */
const KINDS: readonly Kind[] = [
  {
    record: 'account',
    sql: `select id::text, email, name, role, plan, credits_available as "creditsAvailable",
        credits_held as "creditsHeld", ip_allowlist::text[] as "ipAllowlist",
        email_verified_at as "emailVerifiedAt", suspended_at as "suspendedAt", created_at as "createdAt"
      from accounts where id = $1 and id::text > $2 order by id limit $3`,
  },
  {
    record: 'key',
    sql: `select id::text, name, last_four as "lastFour", created_at as "createdAt",
        last_used_at as "lastUsedAt", revoked_at as "revokedAt", expires_at as "expiresAt"
      from api_keys where account_id = $1 and id::text > $2 order by id::text limit $3`,
  },
  {
    record: 'session',
    sql: `select id::text, ip_address as "ipAddress", user_agent as "userAgent", created_at as "createdAt",
        updated_at as "lastSeenAt", expires_at as "expiresAt"
      from sessions where account_id = $1 and id::text > $2 order by id::text limit $3`,
  },
  {
    record: 'face',
    sql: `select id::text, name, consent, photos, created_at as "createdAt", withdrawn_at as "withdrawnAt"
      from faces where account_id = $1 and id::text > $2 order by id::text limit $3`,
    shown: ({ photos, ...face }) => ({ ...face, photos: (photos as object[]).map(withoutKeys) }),
  },
  {
    record: 'task',
    sql: `select id::text, interface, type, status, parameters, result, error_code as "errorCode",
        error_message as "errorMessage", cost_credits as "costCredits", webhook_url as "webhookUrl",
        created_at as "createdAt", started_at as "startedAt", completed_at as "completedAt"
      from tasks where account_id = $1 and not hidden and id::text > $2 order by id::text limit $3`,
    shown: ({ result, ...task }) => ({ ...task, result: shownResult(result as TaskResult | null) }),
  },
  {
    record: 'credit',
    sql: `select lpad(id::text, 20, '0') as id, task_id as "taskId", kind, available_change as "availableChange",
        held_change as "heldChange", available_after as "availableAfter", held_after as "heldAfter", note,
        created_at as "createdAt"
      from credit_entries where account_id = $1 and id > coalesce(nullif($2, ''), '0')::bigint
      order by credit_entries.id limit $3`,
  },
  {
    record: 'webhook',
    sql: `select id::text, task_id as "taskId", event, url, status, failures, created_at as "createdAt"
      from webhook_events where account_id = $1 and id::text > $2 order by id::text limit $3`,
  },
];

/** Reads everything that an account holds, record by record. Its files are not among it. */
export async function* exportAccount({ pool }: Database, accountId: string): AsyncGenerator<ExportedRecord> {
  for (const { record, sql, shown = (row: Record<string, unknown>) => row } of KINDS) {
    let after = '';
    for (;;) {
      const { rows } = await pool.query<{ id: string }>(sql, [accountId, after, PAGE_ROWS]);
      for (const row of rows) yield { record, ...shown(row as unknown as Record<string, unknown>) };
      if (rows.length < PAGE_ROWS) break;
      after = rows.at(-1)!.id;
    }
  }
}

function shownResult(result: TaskResult | null): unknown {
  if (result === null) return null;
  const { outputs, failures, receipt } = result;
  return { outputs: outputs.map(withoutKeys), failures, receipt };
}

/** Leaves out where a file is stored. */
function withoutKeys(file: object): object {
  return Object.fromEntries(Object.entries(file).filter(([name]) => !name.endsWith('Key')));
}

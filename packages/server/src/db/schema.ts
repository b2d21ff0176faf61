import type { ColumnType, Generated } from 'kysely';

/**
 * The tables as kysely sees them; migrations/*.sql is the truth. bigint columns arrive as safe
 * integers.
 */
export interface Schema {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  tasks: TasksTable;
  credit_entries: CreditEntriesTable;
  objects: ObjectsTable;
  idempotency_keys: IdempotencyKeysTable;
  request_windows: RequestWindowsTable;
  installation_secrets: InstallationSecretsTable;
  webhook_events: WebhookEventsTable;
  webhook_attempts: WebhookAttemptsTable;
}

/** Read as a value, written as JSON text. */
type Json = ColumnType<unknown, string, string>;
/** `'infinity'` is written as that word and read back as the number Infinity. */
type OpenEnd = ColumnType<Date | number, Date | string, Date | string>;

interface AccountsTable {
  id: Generated<string>;
  email: string;
  name: Generated<string>;
  email_verified_at: Date | null;
  role: Generated<string>;
  plan: Generated<string>;
  credits_available: Generated<number>;
  credits_held: Generated<number>;
  short_finish_tag: Generated<number>;
  long_finish_tag: Generated<number>;
  webhook_secret: string;
  previous_webhook_secret: Generated<string | null>;
  previous_webhook_secret_until: Generated<Date | null>;
  ip_allowlist: Generated<string[]>;
  suspended_at: Date | null;
  created_at: Generated<Date>;
}

interface ApiKeysTable {
  id: Generated<string>;
  account_id: string;
  name: string;
  hash: Buffer;
  last_four: string;
  created_at: Generated<Date>;
  last_used_at: Date | null;
  revoked_at: Date | null;
  session_id: Generated<string | null>;
  expires_at: Generated<Date | null>;
}

interface TasksTable {
  id: Generated<string>;
  account_id: string;
  interface: string;
  type: string;
  lane: string;
  hidden: Generated<boolean>;
  status: Generated<string>;
  parameters: Json;
  work: Json;
  result: ColumnType<unknown, string | null, string | null>;
  error_code: string | null;
  error_message: string | null;
  progress: Generated<number>;
  cost_credits: number;
  engine_deaths: Generated<number>;
  lease_token: string | null;
  lease_until: Date | null;
  created_at: Generated<Date>;
  started_at: Date | null;
  completed_at: Date | null;
  webhook_url: string | null;
  start_tag: Generated<number>;
}

interface CreditEntriesTable {
  id: Generated<number>;
  account_id: string;
  task_id: string | null;
  kind: string;
  available_change: number;
  held_change: number;
  available_after: number;
  held_after: number;
  note: Generated<string>;
  created_at: Generated<Date>;
}

interface ObjectsTable {
  key: string;
  account_id: string | null;
  task_id: string | null;
  kind: string;
  /**
   * Size; null for files registered before sizes were, which count as nothing and are gone within a
   * day.
   */
  size_bytes: number | null;
  created_at: Generated<Date>;
  delete_after: OpenEnd;
}

interface IdempotencyKeysTable {
  account_id: string;
  key: string;
  fingerprint: Buffer;
  status: number;
  body: Json;
  created_at: Generated<Date>;
}

interface RequestWindowsTable {
  account_id: string;
  bucket: string;
  started_at: Date;
  requests: number;
  day: Date | null;
  day_requests: Generated<number>;
}

interface InstallationSecretsTable {
  name: string;
  secret: Buffer;
  signs_from: Generated<Date>;
  created_at: Generated<Date>;
}

interface WebhookEventsTable {
  id: Generated<string>;
  position: Generated<number>;
  account_id: string;
  task_id: string;
  event: string;
  url: string;
  origin: string;
  body: string | null;
  status: Generated<string>;
  failures: Generated<number>;
  next_attempt_at: Generated<Date>;
  lease_token: string | null;
  created_at: Generated<Date>;
}

interface WebhookAttemptsTable {
  id: Generated<number>;
  event_id: string;
  started_at: Date;
  duration_ms: number;
  http_status: number | null;
  failure: string | null;
}

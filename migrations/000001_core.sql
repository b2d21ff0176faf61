-- Accounts, keys, credits, tasks, stored objects, idempotency and request rates.

-- One row a person or company. Laid so that better-auth's `user` maps one to one onto it: same uuid id, email,
-- email_verified_at from emailVerified, name.
create table accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email)),
  name text not null default '',
  email_verified_at timestamptz,
  role text not null default 'user' check (role in ('owner', 'user')),
  plan text not null default 'free' check (plan in ('free', 'pro', 'enterprise')),
  credits_available bigint not null default 0 check (credits_available >= 0),
  credits_held bigint not null default 0 check (credits_held >= 0),
  -- Readable, because it signs.
  webhook_secret text not null,
  suspended_at timestamptz,
  created_at timestamptz not null default now()
) with (fillfactor = 50);
create unique index accounts_email on accounts (email);

-- Keys are 256 random bits; only their SHA-256 is kept.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  last_four text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
) with (fillfactor = 70);
create index api_keys_account on api_keys (account_id);

-- The task table is the queue.
create table tasks (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  interface text not null check (interface in ('ai-tasks', 'v1')),
  type text not null check (type in
    ('IMAGE_SWAP', 'BATCH_FACE_SWAP', 'MULTI_FACE_SWAP', 'VIDEO_SWAP', 'GIF_FACE_SWAP', 'DETECT_FACES')),
  lane text not null check (lane in ('short', 'long')),
  -- Short work the API waits for itself (detect, dry run): not readable by id, never charged.
  hidden boolean not null default false,
  status text not null default 'PENDING' check (status in
    ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  -- What the client is shown of its own request.
  parameters jsonb not null,
  -- What the worker needs: object keys and checked options.
  work jsonb not null,
  -- Outputs so far, failures and receipt; rendered by each interface.
  result jsonb,
  error_code text,
  error_message text,
  progress real not null default 0 check (progress between 0 and 1),
  -- Held while running, captured when terminal.
  cost_credits bigint not null check (cost_credits >= 0),
  -- Attempts whose engine process died on its own; shutdowns and lost workers do not count.
  engine_deaths integer not null default 0,
  lease_token uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  -- Of the attempt under way; null again when that attempt was lost.
  started_at timestamptz,
  completed_at timestamptz,
  check ((status = 'PROCESSING') = (lease_token is not null)),
  check ((status = 'PROCESSING') = (lease_until is not null)),
  check ((status in ('COMPLETED', 'FAILED', 'CANCELLED')) = (completed_at is not null)),
  check ((status = 'FAILED') = (error_code is not null)),
  check (not hidden or cost_credits = 0)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index tasks_pending on tasks (lane, account_id, created_at, id) where status = 'PENDING';
-- Few rows ever: leases and deadlines are checked over all of them. No index on lease_until, so that a heartbeat
-- stays a heap-only update.
create index tasks_processing on tasks (account_id) where status = 'PROCESSING';
create index tasks_of_account on tasks (account_id, created_at desc) where not hidden;
create index tasks_hidden on tasks (completed_at) where hidden;

-- Fair share: when each account was last served. Waiting and running tasks are counted from `tasks` itself, so that
-- no counter can drift.
create table queue_turns (
  account_id uuid primary key references accounts on delete cascade,
  last_claimed_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Append-only: every movement of credits. The sums of the two changes over an account are its two balances.
create table credit_entries (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  task_id uuid references tasks on delete set null,
  kind text not null check (kind in ('grant', 'hold', 'capture', 'release', 'adjust')),
  available_change bigint not null,
  held_change bigint not null,
  available_after bigint not null,
  held_after bigint not null,
  note text not null default '',
  created_at timestamptz not null default now(),
  check (case kind
    when 'grant' then available_change > 0 and held_change = 0
    when 'adjust' then available_change <> 0 and held_change = 0
    when 'hold' then available_change < 0 and held_change = -available_change
    when 'release' then available_change > 0 and held_change = -available_change
    when 'capture' then available_change = 0 and held_change < 0
  end)
);
create index credit_entries_account on credit_entries (account_id, id);
-- One hold, one capture and one release at the most for a task, whatever races.
create unique index credit_entries_task on credit_entries (task_id, kind);

-- Every stored file, registered before its bytes are written, so that whatever a crash leaves is swept.
create table objects (
  key text primary key,
  account_id uuid references accounts on delete set null,
  task_id uuid references tasks on delete set null,
  kind text not null check (kind in ('input', 'output')),
  size_bytes bigint,
  created_at timestamptz not null default now(),
  -- 'infinity' for the inputs of a task that is not yet terminal.
  delete_after timestamptz not null
);
create index objects_sweep on objects (delete_after);
create index objects_task on objects (task_id);

-- First answers, replayed for a day. A row becomes visible together with what it answers for.
create table idempotency_keys (
  account_id uuid not null references accounts on delete cascade,
  key text not null,
  fingerprint bytea not null,
  status integer not null check (status between 200 and 299),
  body jsonb not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Exact fixed windows that start with an account's first request; logged, so that a crash forgets nobody's count.
create table request_windows (
  account_id uuid not null references accounts on delete cascade,
  bucket text not null,
  started_at timestamptz not null,
  requests integer not null,
  primary key (account_id, bucket)
) with (fillfactor = 50);

-- Secrets that every process of this installation shares (signing keys of output links).
create table installation_secrets (
  name text primary key,
  secret bytea not null,
  created_at timestamptz not null default now()
);

-- Signing in to the dashboard, what it needs to be safe, and what operators did there.

-- At most one a person; none while they sign in by links only.
create table passwords (
  account_id uuid primary key references accounts on delete cascade,
  -- scrypt with its salt, as better-auth writes it.
  hash text not null,
  changed_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  -- SHA-256 of what the cookie holds.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_account on sessions (account_id);
create index sessions_expiry on sessions (expires_at);

-- One-time links that were mailed, or printed to a terminal; only the SHA-256 of their tokens is kept.
create table email_links (
  hash bytea primary key check (octet_length(hash) = 32),
  account_id uuid not null references accounts on delete cascade,
  purpose text not null check (purpose in ('verify', 'change', 'reset', 'sign-in')),
  -- Where the link was sent: a link proves this address and no other.
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index email_links_account on email_links (account_id);
create index email_links_expiry on email_links (expires_at);

create table invitations (
  id uuid primary key default gen_random_uuid(),
  hash bytea not null unique check (octet_length(hash) = 32),
  -- null: for whoever has the link.
  email text,
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

-- Exact windows over all processes; a subject is an address, an email or both.
create table sign_in_attempts (
  bucket text not null,
  subject text not null,
  started_at timestamptz not null,
  attempts integer not null,
  primary key (bucket, subject)
) with (fillfactor = 50);
create index sign_in_attempts_age on sign_in_attempts (started_at);

-- Append-only: written in the transaction of the action itself.
create table operator_actions (
  id bigint generated always as identity primary key,
  operator_id uuid references accounts on delete set null,
  operator_email text not null,
  action text not null,
  account_id uuid references accounts on delete set null,
  account_email text,
  details jsonb not null,
  created_at timestamptz not null default now()
);
create index operator_actions_account on operator_actions (account_id);

-- Worker processes as they last said of themselves.
create table workers (
  id uuid primary key,
  host text not null,
  slots integer not null,
  memory_bytes bigint not null,
  load real not null,
  started_at timestamptz not null,
  seen_at timestamptz not null default now()
) with (fillfactor = 50);

-- A person's session exchanged for a bearer token is a key that ends by itself, with the session at the latest.
alter table api_keys add column session_id uuid references sessions on delete cascade;
alter table api_keys add column expires_at timestamptz;
alter table api_keys add constraint api_keys_session_ends check (session_id is null or expires_at is not null);
create index api_keys_session on api_keys (session_id) where session_id is not null;

-- The operator's list of what went wrong.
create index tasks_failed on tasks (completed_at, id) where status = 'FAILED' and not hidden;

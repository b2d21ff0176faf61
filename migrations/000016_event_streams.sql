-- Open streams of events, so that all API processes together keep to an account's limit. Worth nothing after a crash.
create unlogged table event_streams (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  seen_at timestamptz not null default now()
) with (fillfactor = 50);
create index event_streams_of_account on event_streams (account_id);

-- What has ended of an account since somebody last looked.
create index tasks_ended on tasks (account_id, completed_at) where completed_at is not null and not hidden;

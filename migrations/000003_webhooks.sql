-- Webhooks: the outbox, its delivery log, and secrets that can be changed.

alter table tasks add column webhook_url text;

-- The secret before the current one signs as well until its time is over, so that a receiver can change over.
alter table accounts
  add column previous_webhook_secret text,
  add column previous_webhook_secret_until timestamptz,
  add check ((previous_webhook_secret is null) = (previous_webhook_secret_until is null));

-- One row an ended task that has a webhook, inserted in the transaction that ends it.
create table webhook_events (
  id uuid primary key default gen_random_uuid(),
  -- In the order of the events: lists are read by it.
  position bigint generated always as identity unique,
  account_id uuid not null references accounts on delete cascade,
  task_id uuid not null unique references tasks on delete cascade,
  event text not null,
  url text not null,
  -- Scheme, host and port of the url: what may be slow or dead without delaying any other.
  origin text not null,
  -- Rendered at the first attempt and kept, so that every attempt sends the same bytes.
  body text,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'stopped')),
  -- Failed attempts since the event, or since it was last resent by hand.
  failures integer not null default 0,
  -- While a sender has it: when that sender is given up.
  next_attempt_at timestamptz not null default now(),
  lease_token uuid,
  created_at timestamptz not null default now(),
  check (status = 'pending' or lease_token is null)
);
-- One probe an endpoint finds what is due there, however many events wait at the endpoint before it.
create index webhook_events_due on webhook_events (account_id, origin, next_attempt_at) where status = 'pending';
create index webhook_events_leased on webhook_events (account_id, origin) where lease_token is not null;
create index webhook_events_of_account on webhook_events (account_id, position desc);
create index webhook_events_age on webhook_events (created_at);

-- The delivery log.
create table webhook_attempts (
  id bigint generated always as identity primary key,
  event_id uuid not null references webhook_events on delete cascade,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- null: no answer came.
  http_status integer,
  -- A plain sentence; null: delivered.
  failure text
);
create index webhook_attempts_event on webhook_attempts (event_id, id);

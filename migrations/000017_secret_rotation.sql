-- Secrets of the installation can be rotated: the newest rests where it always did, and signs from a time on by which
-- every process has read it; those before it check what they signed until that has expired.
alter table installation_secrets add column signs_from timestamptz not null default '-infinity';

create table former_secrets (
  id bigint generated always as identity primary key,
  name text not null references installation_secrets on delete cascade,
  secret bytea not null,
  signs_from timestamptz not null,
  checks_until timestamptz not null
);

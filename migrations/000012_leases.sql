-- Work that one process at a time does: rows and no advisory locks, which belong to a connection and are lost behind a
-- pooler in transaction mode (docs/decisions/0018).
create table leases (
  name text primary key,
  holder uuid not null,
  until timestamptz not null
) with (fillfactor = 50);

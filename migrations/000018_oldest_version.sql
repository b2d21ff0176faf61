-- The oldest version that goes on with this schema (docs/decisions/0019), so that it starts on it as well, when an upgrade
-- is taken back. Written by whoever migrates.
create table schema_compatibility (
  is_only boolean primary key default true check (is_only),
  oldest_version text not null
);

-- Networks of an operator that a task needs (docs/decisions/0021), by the keys that workers give them; null: none.
alter table tasks add column networks text[];
create index tasks_networks on tasks (created_at) where networks is not null and status in ('PENDING', 'PROCESSING');

-- Networks that a worker holds, as a list of objects with a `key`; null: the worker's version knows of no networks.
-- And the keys of all that it held lately, so that a task does not fail while a network is replaced.
alter table workers add column networks jsonb, add column recent_networks text[];

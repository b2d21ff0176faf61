-- Networks of an operator that a task needs (docs/decisions/0021), by the keys that workers give them; null: none.
alter table tasks add column networks text[];
create index tasks_networks on tasks (created_at) where status = 'PENDING' and networks is not null;

-- Networks that a worker holds, as a list of objects with a `key`; null: the worker's version knows of no networks.
alter table workers add column networks jsonb;

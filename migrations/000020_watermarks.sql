-- Ids of the watermarks in outputs (docs/decisions/0023), so that verify can tell whether a picture was made here.
create table watermarks (
  id bytea primary key check (octet_length(id) = 6),
  task_id uuid not null references tasks (id) on delete cascade
);
create index watermarks_of_task on watermarks (task_id);

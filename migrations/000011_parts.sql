-- Parts of tasks (docs/decisions/0016): pieces of one task that any worker takes, while its leader holds the task itself.
create table task_parts (
  task_id uuid not null references tasks (id) on delete cascade,
  -- Kind of the work, as 'item' for one output of a batch. No list of them: versions side by side may know different ones.
  step text not null,
  -- Place among the parts of its step, from 0.
  position integer not null check (position >= 0),
  status text not null default 'WAITING' check (status in ('WAITING', 'RUNNING', 'DONE', 'FAILED')),
  lane text not null check (lane in ('short', 'long')),
  -- Place in the lane's virtual time: between the start tag of its task and that of the account's next one.
  start_tag float8 not null,
  -- Engine that must do it, as its worker names it; null: any.
  engine text,
  -- What is to be done, and what came of it: by the step.
  work jsonb not null,
  progress jsonb,
  result jsonb,
  error_code text,
  error_message text,
  engine_deaths integer not null default 0,
  -- An engine died while it had this part and another: it then runs alone, and only that counts against it.
  is_suspect boolean not null default false,
  -- Stays when the part is finished, so that a repeated finish is known as such.
  lease_token uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (task_id, step, position),
  check ((status = 'WAITING') = (lease_token is null)),
  check ((status = 'RUNNING') = (lease_until is not null)),
  check ((status = 'DONE') = (result is not null)),
  check ((status = 'FAILED') = (error_code is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create index task_parts_queue on task_parts (lane, start_tag, task_id, position) where status = 'WAITING';
create index task_parts_running on task_parts (task_id) where status = 'RUNNING';

-- What workers hand to each other within one task; it goes with the task's end.
-- survives objects_kind_check: it takes one more kind.
alter table objects drop constraint objects_kind_check;
alter table objects add constraint objects_kind_check check (kind in ('input', 'output', 'temporary'));

-- Start-time fair queueing (docs/decisions/0015): a task gets its place when it is created, and a claim takes the lowest.
alter table tasks add column start_tag float8 not null default 0;

-- Where the last task of an account ends in each lane's virtual time. Creating a task writes the row anyway.
alter table accounts
  add column short_finish_tag float8 not null default 0,
  add column long_finish_tag float8 not null default 0;

-- Virtual time of each lane: the highest start tag claimed so far, written now and then.
create table queue_lanes (
  lane text primary key check (lane in ('short', 'long')),
  virtual_time float8 not null default 0
) with (fillfactor = 50);
insert into queue_lanes (lane) values ('short'), ('long');

-- What waits already keeps its order within its account, and accounts take turns.
update tasks set start_tag = place.n
from (
  select id, row_number() over (partition by account_id, lane order by created_at, id) - 1 as n
  from tasks where status = 'PENDING'
) as place
where tasks.id = place.id;
update accounts set short_finish_tag = ends.short, long_finish_tag = ends.long
from (
  select account_id, count(*) filter (where lane = 'short') as short, count(*) filter (where lane = 'long') as long
  from tasks where status = 'PENDING' group by account_id
) as ends
where accounts.id = ends.account_id;

create index tasks_queue on tasks (lane, start_tag, created_at) where status = 'PENDING';
drop index tasks_pending;
-- What an account has waiting.
create index tasks_pending on tasks (account_id) where status = 'PENDING';

-- Nothing reads it now. It stays for one version, so that workers of the version before go on during an upgrade.
comment on table queue_turns is 'of versions before 0015; dropped by a later migration';

-- Seconds that a worker's slot took lately for one credit's worth of work, by lane; null until it has ended a task there.
alter table workers
  add column short_seconds_per_credit float8,
  add column long_seconds_per_credit float8;

-- Work that waits, in seconds of one slot, and slots that work, by lane: what machines are added by. Of a task in parts only
-- the parts count. Without a worker to ask, a credit counts as 0.1 seconds in the short lane and as 0.5 in the long one.
create view queue_wait as
  with pace as (
    select
      coalesce(avg(short_seconds_per_credit), 0.1) as short,
      coalesce(avg(long_seconds_per_credit), 0.5) as long
    from workers where seen_at > now() - interval '30 s'
  ), divided as (
    select task_id, count(*) as parts,
      count(*) filter (where status = 'WAITING') as waiting,
      count(*) filter (where status = 'RUNNING') as running
    from task_parts group by task_id
  ), work as (
    select lane, greatest(cost_credits, 1)::float8 as credits, 0 as running from tasks where status = 'PENDING'
    union all
    select lane, coalesce(greatest(cost_credits, 1) * divided.waiting::float8 / divided.parts, 0), coalesce(divided.running, 1)
    from tasks left join divided on task_id = id where status = 'PROCESSING'
  )
  select
    queue_lanes.lane,
    coalesce(sum(work.credits), 0) * case queue_lanes.lane when 'short' then pace.short else pace.long end as seconds,
    coalesce(sum(work.running), 0)::int as running
  from queue_lanes cross join pace left join work on work.lane = queue_lanes.lane
  group by queue_lanes.lane, pace.short, pace.long;

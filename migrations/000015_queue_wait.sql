-- Seconds that a worker's slot took lately for one credit's worth of work, by lane; null until it has ended a task there.
alter table workers
  add column short_seconds_per_credit float8,
  add column long_seconds_per_credit float8;

-- Work that waits, in seconds of one slot, by lane: what machines are added by. Without a worker to ask, a credit counts as
-- 0.1 seconds in the short lane and as 0.5 in the long one.
create view queue_wait as
  with pace as (
    select
      coalesce(avg(short_seconds_per_credit), 0.1) as short,
      coalesce(avg(long_seconds_per_credit), 0.5) as long
    from workers where seen_at > now() - interval '30 s'
  )
  select
    queue_lanes.lane,
    (select coalesce(sum(greatest(cost_credits, 1)), 0) from tasks where status = 'PENDING' and tasks.lane = queue_lanes.lane)
      * case queue_lanes.lane when 'short' then pace.short else pace.long end as seconds
  from queue_lanes, pace;

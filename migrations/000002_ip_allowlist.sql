-- Enterprise accounts may name the networks that their keys work from; and v1 counts requests by the UTC day too.

alter table accounts add column ip_allowlist cidr[] not null default '{}';

-- Beside the minute, so that one row lock decides on both.
alter table request_windows add column day date;
alter table request_windows add column day_requests integer not null default 0;

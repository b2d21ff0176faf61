-- Of requests that share a key and wait for one task, until when the latest of them does.
alter table idempotency_keys add column awaited_until timestamptz;

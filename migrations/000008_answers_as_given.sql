-- A replayed answer is the first one to the byte: jsonb puts an object's members in an order of its own.
alter table idempotency_keys alter column body type json using body::json;

-- What an account's results take up is summed up when it asks for more (docs/guide/accounts.md#limits-by-plan).
create index objects_outputs on objects (account_id, delete_after) include (size_bytes) where kind = 'output';

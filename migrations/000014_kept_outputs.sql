-- What an account's results take up is summed up when it asks for more (docs/operations.md, limits of an account).
create index objects_outputs on objects (account_id, delete_after) include (size_bytes) where kind = 'output';

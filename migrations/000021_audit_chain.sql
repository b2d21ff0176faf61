-- The audit log is a chain (docs/guide/audit.md): each entry has the hash of the one before. Triggers make it and not
-- guise, because all writers pass them: the version before this one, which knows no hashes, and whoever types SQL.
--
-- Whoever deletes an account is forgotten: its names leave the log. So the hash of an entry contains no names but a seal
-- of each: the SHA-256 of a random salt and the name. To forget a name is to clear it with its salt. The seal stays, so
-- the chain still verifies; without the salt nobody can find the name by trying. A name that stays cannot be exchanged.
alter table operator_actions
  add column previous_hash text,
  add column hash text,
  add column salts jsonb,
  add column seals jsonb;

-- The newest entry. Its lock lets one writer at a time continue the chain, and it tells if the newest entries are missing.
create table audit_head (
  is_only boolean primary key default true check (is_only),
  entry_id bigint not null,
  hash text not null
);
insert into audit_head (entry_id, hash) values (0, repeat('0', 64));

create function audit_sha256(content text) returns text language sql as $$
  select encode(sha256(convert_to(content, 'UTF8')), 'hex')
$$;

-- Returns an entry with its hashes. packages/server/src/operator/audit-chain.ts checks them.
create function chained_entry(entry operator_actions, head_hash text) returns operator_actions language plpgsql as $$
begin
  entry.salts := jsonb_build_object(
    'operator', replace(gen_random_uuid()::text, '-', ''),
    'account', replace(gen_random_uuid()::text, '-', ''),
    'invited', replace(gen_random_uuid()::text, '-', ''));
  entry.seals := jsonb_build_object(
    'operator', audit_sha256(concat_ws(E'\n', entry.salts->>'operator',
      coalesce(entry.operator_id::text, ''), entry.operator_email)),
    'account', audit_sha256(concat_ws(E'\n', entry.salts->>'account',
      coalesce(entry.account_id::text, ''), coalesce(entry.account_email, ''))),
    'invited', audit_sha256(concat_ws(E'\n', entry.salts->>'invited', coalesce(entry.details->>'email', ''))));
  entry.previous_hash := head_hash;
  -- The action is last, because it is the only text that may contain a line break.
  entry.hash := audit_sha256(concat_ws(E'\n', entry.previous_hash, entry.id,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    entry.seals->>'operator', entry.seals->>'account', entry.seals->>'invited',
    (entry.details - 'email')::text, entry.action));
  return entry;
end $$;

do $$
declare
  entry operator_actions;
begin
  for entry in select * from operator_actions order by id loop
    entry := chained_entry(entry, (select hash from audit_head));
    update operator_actions
      set salts = entry.salts, seals = entry.seals, previous_hash = entry.previous_hash, hash = entry.hash
      where id = entry.id;
    update audit_head set entry_id = entry.id, hash = entry.hash;
  end loop;
end $$;

create function append_operator_action() returns trigger language plpgsql as $$
declare
  head audit_head;
begin
  -- The foreign keys lock these rows afterwards. Before the head, they cause no deadlock with one who has locked them.
  perform from accounts where id in (new.operator_id, new.account_id) order by id for key share;
  select * into strict head from audit_head for update;
  -- The order of the sequence is that of beginning, not that of the chain.
  new.id := head.entry_id + 1;
  new := chained_entry(new, head.hash);
  update audit_head set entry_id = new.id, hash = new.hash;
  return new;
end $$;

-- Lets an update forget names, and nothing else. A name is forgotten as a whole: address, id and salt.
create function forget_in_operator_action() returns trigger language plpgsql as $$
declare
  kept operator_actions := old;
  pseudonym text := 'deleted-' || left(old.operator_id::text, 8);
begin
  if (new.account_id is null and old.account_id is not null)
    or (new.account_email is null and old.account_email is not null) then
    kept.account_id := null;
    kept.account_email := null;
    kept.salts := kept.salts - 'account';
  end if;
  if old.operator_id is not null and (new.operator_id is null or new.operator_email = pseudonym) then
    kept.operator_id := null;
    kept.operator_email := pseudonym;
    kept.salts := kept.salts - 'operator';
  end if;
  if old.details ? 'email' and new.details = old.details - 'email' then
    kept.details := new.details;
    kept.salts := kept.salts - 'invited';
  end if;
  if exists (
    select from jsonb_each(to_jsonb(new)) asked
    where asked.value not in (to_jsonb(old)->asked.key, to_jsonb(kept)->asked.key)
  ) then
    raise 'The audit log is append-only: an entry cannot be changed.';
  end if;
  return kept;
end $$;

create function refuse_audit_deletion() returns trigger language plpgsql as $$
begin
  raise 'The audit log is append-only: an entry cannot be deleted.';
end $$;

-- survives audit_append: it fills the new columns, and replaces the id.
create trigger audit_append before insert on operator_actions
  for each row execute function append_operator_action();
-- survives audit_forget: the release before changes entries only to forget a deleted account.
create trigger audit_forget before update on operator_actions
  for each row execute function forget_in_operator_action();
-- survives audit_delete: no release deletes entries.
create trigger audit_delete before delete on operator_actions
  for each row execute function refuse_audit_deletion();
-- survives audit_truncate: the release before truncates only while it restores a backup, on a schema that it knows.
create trigger audit_truncate before truncate on operator_actions
  for each statement execute function refuse_audit_deletion();

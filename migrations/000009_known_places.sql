-- Networks and devices that signed in to an account before: strangers who guess at it do not lock them out.
create table known_places (
  account_id uuid not null references accounts on delete cascade,
  -- HMAC-SHA256 of account and network, or of account and device, with a secret of this installation.
  hash bytea not null check (octet_length(hash) = 32),
  seen_at timestamptz not null default now(),
  primary key (account_id, hash)
);
create index known_places_age on known_places (seen_at);

-- Several links of a purpose work side by side: a stranger who asks for one does not end the one in the mailbox.
alter table email_links drop constraint email_links_purpose;
create index email_links_account on email_links (account_id, purpose);

-- A password is set by whoever reads the mail of the address, never before.

-- Typed at a sign-up by who knows whom.
delete from passwords p using accounts a where a.id = p.account_id and a.email_verified_at is null;

-- Whose it became; until that account is verified its address may sign up with it again.
alter table invitations add column account_id uuid references accounts on delete set null;
create index invitations_account on invitations (account_id);

-- What nobody verified is deleted after a while.
create index accounts_unverified on accounts (created_at) where email_verified_at is null;

-- Of an account's links of one purpose the latest alone works, however many are asked for at once.
delete from email_links older using email_links newer
where older.account_id = newer.account_id and older.purpose = newer.purpose
  and (older.created_at, older.hash) < (newer.created_at, newer.hash);
alter table email_links add constraint email_links_purpose unique (account_id, purpose);
drop index email_links_account;

-- Certificates of this installation (docs/decisions/0008): the one that all of its machines sign with, and those that
-- signed before, by which older files are recognised.
create table signing_certificates (
  -- SHA-256 of the chain.
  fingerprint bytea primary key check (octet_length(fingerprint) = 32),
  -- PEM, the signer's first.
  chain text not null,
  -- PEM, encrypted where the operator gave a key for that; null for those that sign no more.
  private_key bytea,
  is_encrypted boolean not null default false,
  is_current boolean not null,
  created_at timestamptz not null default now(),
  check (is_current = (private_key is not null))
);
create unique index signing_certificates_current on signing_certificates (is_current) where is_current;

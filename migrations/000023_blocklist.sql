-- Faces of people who must not be used. Of their photos only an encrypted embedding is kept.
create table blocklist (
  id uuid primary key,
  name text not null,
  why text not null,
  embedding bytea not null,
  created_at timestamptz not null default now()
);

-- The key that encrypts embeddings; itself encrypted if the operator gave a secret for that.
create table embedding_key (
  is_only boolean primary key default true check (is_only),
  key bytea not null,
  is_encrypted boolean not null
);

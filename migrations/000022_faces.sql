-- Faces that an account keeps, to use them in any workflow. A withdrawn one has no photos any more, and cannot be used.
create table faces (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null,
  consent text not null,
  -- Stored inputs, the first photo first.
  photos jsonb not null,
  -- A small WebP of the face, for lists; null if it could not be made, or once the consent was withdrawn.
  thumbnail bytea,
  -- Whoever has this may withdraw the consent. It is not hashed, because it can do nothing else, and is shown again.
  withdrawal_token text not null unique,
  created_at timestamptz not null default now(),
  withdrawn_at timestamptz
);
create index faces_of_account on faces (account_id, id);

-- Which tasks use which saved faces. A row goes when its task is deleted, or has been ended and emptied by a withdrawal.
create table task_faces (
  task_id uuid not null references tasks (id) on delete cascade,
  face_id uuid not null references faces (id) on delete cascade,
  primary key (face_id, task_id)
);
create index task_faces_of_task on task_faces (task_id);

-- Made by `npm run schema` from the migrations, for reading. Do not edit.

create table accounts (
  id uuid default gen_random_uuid() not null,
  email text not null,
  name text default ''::text not null,
  email_verified_at timestamp with time zone,
  role text default 'user'::text not null,
  plan text default 'free'::text not null,
  credits_available bigint default 0 not null,
  credits_held bigint default 0 not null,
  webhook_secret text not null,
  suspended_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  ip_allowlist cidr[] default '{}'::cidr[] not null,
  previous_webhook_secret text,
  previous_webhook_secret_until timestamp with time zone,
  short_finish_tag double precision default 0 not null,
  long_finish_tag double precision default 0 not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_check CHECK (((previous_webhook_secret IS NULL) = (previous_webhook_secret_until IS NULL))),
  constraint accounts_credits_available_check CHECK ((credits_available >= 0)),
  constraint accounts_credits_held_check CHECK ((credits_held >= 0)),
  constraint accounts_email_check CHECK ((email = lower(email))),
  constraint accounts_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'pro'::text, 'enterprise'::text]))),
  constraint accounts_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'user'::text])))
) with (fillfactor=50);
CREATE UNIQUE INDEX accounts_email ON accounts USING btree (email);
CREATE INDEX accounts_unverified ON accounts USING btree (created_at) WHERE (email_verified_at IS NULL);

create table api_keys (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  name text not null,
  hash bytea not null,
  last_four text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  session_id uuid,
  expires_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint api_keys_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint api_keys_hash_check CHECK ((octet_length(hash) = 32)),
  constraint api_keys_session_ends CHECK (((session_id IS NULL) OR (expires_at IS NOT NULL)))
) with (fillfactor=70);
CREATE INDEX api_keys_account ON api_keys USING btree (account_id);
CREATE INDEX api_keys_session ON api_keys USING btree (session_id) WHERE (session_id IS NOT NULL);

create table audit_head (
  is_only boolean default true not null,
  entry_id bigint not null,
  hash text not null,
  constraint audit_head_pkey PRIMARY KEY (is_only),
  constraint audit_head_is_only_check CHECK (is_only)
);

create table blocklist (
  id uuid not null,
  name text not null,
  why text not null,
  embedding bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint blocklist_pkey PRIMARY KEY (id)
);

create table credit_entries (
  id bigint generated always as identity not null,
  account_id uuid not null,
  task_id uuid,
  kind text not null,
  available_change bigint not null,
  held_change bigint not null,
  available_after bigint not null,
  held_after bigint not null,
  note text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  constraint credit_entries_pkey PRIMARY KEY (id),
  constraint credit_entries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint credit_entries_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE SET NULL,
  constraint credit_entries_check CHECK (
CASE kind
    WHEN 'grant'::text THEN ((available_change > 0) AND (held_change = 0))
    WHEN 'adjust'::text THEN ((available_change <> 0) AND (held_change = 0))
    WHEN 'hold'::text THEN ((available_change < 0) AND (held_change = (- available_change)))
    WHEN 'release'::text THEN ((available_change > 0) AND (held_change = (- available_change)))
    WHEN 'capture'::text THEN ((available_change = 0) AND (held_change < 0))
    ELSE NULL::boolean
END),
  constraint credit_entries_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'hold'::text, 'capture'::text, 'release'::text, 'adjust'::text])))
);
CREATE INDEX credit_entries_account ON credit_entries USING btree (account_id, id);
CREATE UNIQUE INDEX credit_entries_task ON credit_entries USING btree (task_id, kind);

create table email_links (
  hash bytea not null,
  account_id uuid not null,
  purpose text not null,
  email text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint email_links_pkey PRIMARY KEY (hash),
  constraint email_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint email_links_hash_check CHECK ((octet_length(hash) = 32)),
  constraint email_links_purpose_check CHECK ((purpose = ANY (ARRAY['verify'::text, 'change'::text, 'reset'::text, 'sign-in'::text])))
);
CREATE INDEX email_links_account ON email_links USING btree (account_id, purpose);
CREATE INDEX email_links_expiry ON email_links USING btree (expires_at);

create table embedding_key (
  is_only boolean default true not null,
  key bytea not null,
  is_encrypted boolean not null,
  constraint embedding_key_pkey PRIMARY KEY (is_only),
  constraint embedding_key_is_only_check CHECK (is_only)
);

create table event_streams (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  seen_at timestamp with time zone default now() not null,
  constraint event_streams_pkey PRIMARY KEY (id),
  constraint event_streams_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
) with (fillfactor=50);
CREATE INDEX event_streams_of_account ON event_streams USING btree (account_id);

create table faces (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  consent text not null,
  photos jsonb not null,
  thumbnail bytea,
  withdrawal_token text not null,
  created_at timestamp with time zone default now() not null,
  withdrawn_at timestamp with time zone,
  constraint faces_pkey PRIMARY KEY (id),
  constraint faces_withdrawal_token_key UNIQUE (withdrawal_token),
  constraint faces_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX faces_of_account ON faces USING btree (account_id, id);

create table former_secrets (
  id bigint generated always as identity not null,
  name text not null,
  secret bytea not null,
  signs_from timestamp with time zone not null,
  checks_until timestamp with time zone not null,
  constraint former_secrets_pkey PRIMARY KEY (id),
  constraint former_secrets_name_fkey FOREIGN KEY (name) REFERENCES installation_secrets(name) ON DELETE CASCADE
);

create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  status integer not null,
  body json not null,
  created_at timestamp with time zone default now() not null,
  awaited_until timestamp with time zone,
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, key),
  constraint idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint idempotency_keys_status_check CHECK (((status >= 200) AND (status <= 299)))
);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);

create table installation_secrets (
  name text not null,
  secret bytea not null,
  created_at timestamp with time zone default now() not null,
  signs_from timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint installation_secrets_pkey PRIMARY KEY (name)
);

create table invitations (
  id uuid default gen_random_uuid() not null,
  hash bytea not null,
  email text,
  plan text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  account_id uuid,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_hash_key UNIQUE (hash),
  constraint invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint invitations_hash_check CHECK ((octet_length(hash) = 32)),
  constraint invitations_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'pro'::text, 'enterprise'::text])))
);
CREATE INDEX invitations_account ON invitations USING btree (account_id);

create table known_places (
  account_id uuid not null,
  hash bytea not null,
  seen_at timestamp with time zone default now() not null,
  constraint known_places_pkey PRIMARY KEY (account_id, hash),
  constraint known_places_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint known_places_hash_check CHECK ((octet_length(hash) = 32))
);
CREATE INDEX known_places_age ON known_places USING btree (seen_at);

create table leases (
  name text not null,
  holder uuid not null,
  until timestamp with time zone not null,
  constraint leases_pkey PRIMARY KEY (name)
) with (fillfactor=50);

create table objects (
  key text not null,
  account_id uuid,
  task_id uuid,
  kind text not null,
  size_bytes bigint,
  created_at timestamp with time zone default now() not null,
  delete_after timestamp with time zone not null,
  constraint objects_pkey PRIMARY KEY (key),
  constraint objects_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint objects_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE SET NULL,
  constraint objects_kind_check CHECK ((kind = ANY (ARRAY['input'::text, 'output'::text, 'temporary'::text])))
);
CREATE INDEX objects_outputs ON objects USING btree (account_id, delete_after) INCLUDE (size_bytes) WHERE (kind = 'output'::text);
CREATE INDEX objects_sweep ON objects USING btree (delete_after);
CREATE INDEX objects_task ON objects USING btree (task_id);

create table operator_actions (
  id bigint generated always as identity not null,
  operator_id uuid,
  operator_email text not null,
  action text not null,
  account_id uuid,
  account_email text,
  details jsonb not null,
  created_at timestamp with time zone default now() not null,
  previous_hash text,
  hash text,
  salts jsonb,
  seals jsonb,
  constraint operator_actions_pkey PRIMARY KEY (id),
  constraint operator_actions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint operator_actions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES accounts(id) ON DELETE SET NULL
);
CREATE INDEX operator_actions_account ON operator_actions USING btree (account_id);
CREATE TRIGGER audit_append BEFORE INSERT ON operator_actions FOR EACH ROW EXECUTE FUNCTION append_operator_action();
CREATE TRIGGER audit_delete BEFORE DELETE ON operator_actions FOR EACH ROW EXECUTE FUNCTION refuse_audit_deletion();
CREATE TRIGGER audit_forget BEFORE UPDATE ON operator_actions FOR EACH ROW EXECUTE FUNCTION forget_in_operator_action();
CREATE TRIGGER audit_truncate BEFORE TRUNCATE ON operator_actions FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_deletion();

create table passwords (
  account_id uuid not null,
  hash text not null,
  changed_at timestamp with time zone default now() not null,
  constraint passwords_pkey PRIMARY KEY (account_id),
  constraint passwords_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table queue_lanes (
  lane text not null,
  virtual_time double precision default 0 not null,
  constraint queue_lanes_pkey PRIMARY KEY (lane),
  constraint queue_lanes_lane_check CHECK ((lane = ANY (ARRAY['short'::text, 'long'::text])))
) with (fillfactor=50);

create table queue_turns (
  account_id uuid not null,
  last_claimed_at timestamp with time zone not null,
  constraint queue_turns_pkey PRIMARY KEY (account_id),
  constraint queue_turns_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02);

create table request_windows (
  account_id uuid not null,
  bucket text not null,
  started_at timestamp with time zone not null,
  requests integer not null,
  day date,
  day_requests integer default 0 not null,
  constraint request_windows_pkey PRIMARY KEY (account_id, bucket),
  constraint request_windows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
) with (fillfactor=50);

create table schema_compatibility (
  is_only boolean default true not null,
  oldest_version text not null,
  constraint schema_compatibility_pkey PRIMARY KEY (is_only),
  constraint schema_compatibility_is_only_check CHECK (is_only)
);

create table sessions (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  token_hash bytea not null,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_key UNIQUE (token_hash),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint sessions_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX sessions_account ON sessions USING btree (account_id);
CREATE INDEX sessions_expiry ON sessions USING btree (expires_at);

create table sign_in_attempts (
  bucket text not null,
  subject text not null,
  started_at timestamp with time zone not null,
  attempts integer not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (bucket, subject)
) with (fillfactor=50);
CREATE INDEX sign_in_attempts_age ON sign_in_attempts USING btree (started_at);

create table signing_certificates (
  fingerprint bytea not null,
  chain text not null,
  private_key bytea,
  is_encrypted boolean default false not null,
  is_current boolean not null,
  created_at timestamp with time zone default now() not null,
  constraint signing_certificates_pkey PRIMARY KEY (fingerprint),
  constraint signing_certificates_check CHECK ((is_current = (private_key IS NOT NULL))),
  constraint signing_certificates_fingerprint_check CHECK ((octet_length(fingerprint) = 32))
);
CREATE UNIQUE INDEX signing_certificates_current ON signing_certificates USING btree (is_current) WHERE is_current;

create table task_faces (
  task_id uuid not null,
  face_id uuid not null,
  constraint task_faces_pkey PRIMARY KEY (face_id, task_id),
  constraint task_faces_face_id_fkey FOREIGN KEY (face_id) REFERENCES faces(id) ON DELETE CASCADE,
  constraint task_faces_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE CASCADE
);
CREATE INDEX task_faces_of_task ON task_faces USING btree (task_id);

create table task_parts (
  task_id uuid not null,
  step text not null,
  "position" integer not null,
  status text default 'WAITING'::text not null,
  lane text not null,
  start_tag double precision not null,
  engine text,
  work jsonb not null,
  progress jsonb,
  result jsonb,
  error_code text,
  error_message text,
  engine_deaths integer default 0 not null,
  is_suspect boolean default false not null,
  lease_token uuid,
  lease_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint task_parts_pkey PRIMARY KEY (task_id, step, "position"),
  constraint task_parts_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE CASCADE,
  constraint task_parts_check CHECK (((status = 'WAITING'::text) = (lease_token IS NULL))),
  constraint task_parts_check1 CHECK (((status = 'RUNNING'::text) = (lease_until IS NOT NULL))),
  constraint task_parts_check2 CHECK (((status = 'DONE'::text) = (result IS NOT NULL))),
  constraint task_parts_check3 CHECK (((status = 'FAILED'::text) = (error_code IS NOT NULL))),
  constraint task_parts_lane_check CHECK ((lane = ANY (ARRAY['short'::text, 'long'::text]))),
  constraint task_parts_position_check CHECK (("position" >= 0)),
  constraint task_parts_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'RUNNING'::text, 'DONE'::text, 'FAILED'::text])))
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX task_parts_queue ON task_parts USING btree (lane, start_tag, task_id, "position") WHERE (status = 'WAITING'::text);
CREATE INDEX task_parts_running ON task_parts USING btree (task_id) WHERE (status = 'RUNNING'::text);

create table tasks (
  id uuid default gen_random_uuid() not null,
  account_id uuid not null,
  interface text not null,
  type text not null,
  lane text not null,
  hidden boolean default false not null,
  status text default 'PENDING'::text not null,
  parameters jsonb not null,
  work jsonb not null,
  result jsonb,
  error_code text,
  error_message text,
  progress real default 0 not null,
  cost_credits bigint not null,
  engine_deaths integer default 0 not null,
  lease_token uuid,
  lease_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  webhook_url text,
  start_tag double precision default 0 not null,
  networks text[],
  constraint tasks_pkey PRIMARY KEY (id),
  constraint tasks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint tasks_check CHECK (((status = 'PROCESSING'::text) = (lease_token IS NOT NULL))),
  constraint tasks_check1 CHECK (((status = 'PROCESSING'::text) = (lease_until IS NOT NULL))),
  constraint tasks_check2 CHECK (((status = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text, 'CANCELLED'::text])) = (completed_at IS NOT NULL))),
  constraint tasks_check3 CHECK (((status = 'FAILED'::text) = (error_code IS NOT NULL))),
  constraint tasks_check4 CHECK (((NOT hidden) OR (cost_credits = 0))),
  constraint tasks_cost_credits_check CHECK ((cost_credits >= 0)),
  constraint tasks_interface_check CHECK ((interface = ANY (ARRAY['ai-tasks'::text, 'v1'::text]))),
  constraint tasks_lane_check CHECK ((lane = ANY (ARRAY['short'::text, 'long'::text]))),
  constraint tasks_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (1)::double precision))),
  constraint tasks_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint tasks_type_check CHECK ((type = ANY (ARRAY['IMAGE_SWAP'::text, 'BATCH_FACE_SWAP'::text, 'MULTI_FACE_SWAP'::text, 'VIDEO_SWAP'::text, 'GIF_FACE_SWAP'::text, 'DETECT_FACES'::text])))
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX tasks_ended ON tasks USING btree (account_id, completed_at) WHERE ((completed_at IS NOT NULL) AND (NOT hidden));
CREATE INDEX tasks_failed ON tasks USING btree (completed_at, id) WHERE ((status = 'FAILED'::text) AND (NOT hidden));
CREATE INDEX tasks_hidden ON tasks USING btree (completed_at) WHERE hidden;
CREATE INDEX tasks_networks ON tasks USING btree (created_at) WHERE ((networks IS NOT NULL) AND (status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text])));
CREATE INDEX tasks_of_account ON tasks USING btree (account_id, created_at DESC) WHERE (NOT hidden);
CREATE INDEX tasks_pending ON tasks USING btree (account_id) WHERE (status = 'PENDING'::text);
CREATE INDEX tasks_processing ON tasks USING btree (account_id) WHERE (status = 'PROCESSING'::text);
CREATE INDEX tasks_queue ON tasks USING btree (lane, start_tag, created_at) WHERE (status = 'PENDING'::text);

create table watermarks (
  id bytea not null,
  task_id uuid not null,
  constraint watermarks_pkey PRIMARY KEY (id),
  constraint watermarks_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE CASCADE,
  constraint watermarks_id_check CHECK ((octet_length(id) = 6))
);
CREATE INDEX watermarks_of_task ON watermarks USING btree (task_id);

create table webhook_attempts (
  id bigint generated always as identity not null,
  event_id uuid not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  http_status integer,
  failure text,
  constraint webhook_attempts_pkey PRIMARY KEY (id),
  constraint webhook_attempts_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events(id) ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_event ON webhook_attempts USING btree (event_id, id);

create table webhook_events (
  id uuid default gen_random_uuid() not null,
  "position" bigint generated always as identity not null,
  account_id uuid not null,
  task_id uuid not null,
  event text not null,
  url text not null,
  origin text not null,
  body text,
  status text default 'pending'::text not null,
  failures integer default 0 not null,
  next_attempt_at timestamp with time zone default now() not null,
  lease_token uuid,
  created_at timestamp with time zone default now() not null,
  constraint webhook_events_pkey PRIMARY KEY (id),
  constraint webhook_events_position_key UNIQUE ("position"),
  constraint webhook_events_task_id_key UNIQUE (task_id),
  constraint webhook_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint webhook_events_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE CASCADE,
  constraint webhook_events_check CHECK (((status = 'pending'::text) OR (lease_token IS NULL))),
  constraint webhook_events_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'stopped'::text])))
);
CREATE INDEX webhook_events_age ON webhook_events USING btree (created_at);
CREATE INDEX webhook_events_due ON webhook_events USING btree (account_id, origin, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_events_leased ON webhook_events USING btree (account_id, origin) WHERE (lease_token IS NOT NULL);
CREATE INDEX webhook_events_of_account ON webhook_events USING btree (account_id, "position" DESC);

create table workers (
  id uuid not null,
  host text not null,
  slots integer not null,
  memory_bytes bigint not null,
  load real not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone default now() not null,
  short_seconds_per_credit double precision,
  long_seconds_per_credit double precision,
  networks jsonb,
  recent_networks text[],
  constraint workers_pkey PRIMARY KEY (id)
) with (fillfactor=50);

create view queue_wait as
 WITH pace AS (
         SELECT COALESCE(avg(workers.short_seconds_per_credit), 0.1::double precision) AS short,
            COALESCE(avg(workers.long_seconds_per_credit), 0.5::double precision) AS long
           FROM workers
          WHERE workers.seen_at > (now() - '00:00:30'::interval)
        ), divided AS (
         SELECT task_parts.task_id,
            count(*) AS parts,
            count(*) FILTER (WHERE task_parts.status = 'WAITING'::text) AS waiting,
            count(*) FILTER (WHERE task_parts.status = 'RUNNING'::text) AS running
           FROM task_parts
          GROUP BY task_parts.task_id
        ), work AS (
         SELECT tasks.lane,
            GREATEST(tasks.cost_credits, 1::bigint)::double precision AS credits,
            0 AS running
           FROM tasks
          WHERE tasks.status = 'PENDING'::text
        UNION ALL
         SELECT tasks.lane,
            COALESCE(GREATEST(tasks.cost_credits, 1::bigint)::double precision * divided.waiting::double precision / divided.parts::double precision, 0::double precision) AS "coalesce",
            COALESCE(divided.running, 1::bigint) AS "coalesce"
           FROM tasks
             LEFT JOIN divided ON divided.task_id = tasks.id
          WHERE tasks.status = 'PROCESSING'::text
        )
 SELECT queue_lanes.lane,
    COALESCE(sum(work.credits), 0::double precision) *
        CASE queue_lanes.lane
            WHEN 'short'::text THEN pace.short
            ELSE pace.long
        END AS seconds,
    COALESCE(sum(work.running), 0::numeric)::integer AS running
   FROM queue_lanes
     CROSS JOIN pace
     LEFT JOIN work ON work.lane = queue_lanes.lane
  GROUP BY queue_lanes.lane, pace.short, pace.long;

CREATE OR REPLACE FUNCTION append_operator_action()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit_sha256(content text)
 RETURNS text
 LANGUAGE sql
AS $function$
  select encode(sha256(convert_to(content, 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION chained_entry(entry operator_actions, head_hash text)
 RETURNS operator_actions
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION forget_in_operator_action()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION refuse_audit_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise 'The audit log is append-only: an entry cannot be deleted.';
end $function$;

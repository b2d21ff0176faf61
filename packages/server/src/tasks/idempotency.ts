import { AppError } from '@guise/contract/errors.ts';
import { IDEMPOTENCY_LIFETIME_MS } from '@guise/contract/limits.ts';
import type { Database, Queryable } from '../db/database.ts';

/** A request's `Idempotency-Key` with what the request was. */
export interface IdempotentRequest {
  /** 1 to 255 characters. */
  readonly key: string;
  /** SHA-256 over method, path, query, decoded fields and the files' SHA-256. */
  readonly fingerprint: Buffer;
}

/** A 2xx answer, to be given again to the same request. */
export interface RememberedAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface AnswerRow {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly body: unknown;
}

/** Lifetime of an answer as SQL, because the database's clock decides. */
export const ANSWER_LIFETIME_SQL = `interval '${IDEMPOTENCY_LIFETIME_MS / 1000} s'`;

/**
 * The answer that this very request got before.
 * @returns null: there is none, or it is older than 24 h.
 * @throws AppError IDEMPOTENCY_CONFLICT when the key was used for another request.
 */
export async function findRememberedAnswer(
  db: Database,
  accountId: string,
  request: IdempotentRequest,
): Promise<RememberedAnswer | null> {
  return readAnswer(db.pool, accountId, request);
}

/** Returns whether any request was answered under this key; only its body would show which one. */
export async function isKeyKnown(db: Database, accountId: string, key: string): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    `select 1 from idempotency_keys
     where account_id = $1 and key = $2 and created_at > now() - ${ANSWER_LIFETIME_SQL}`,
    [accountId, key],
  );
  return rowCount === 1;
}

/**
 * Remembers the answer of a request that created nothing (dry run, detect). The first answer wins.
 * @returns the answer to give: this one, or the one that a concurrent twin remembered first.
 * @throws AppError IDEMPOTENCY_CONFLICT when the key was used for another request.
 */
export async function rememberAnswer(
  db: Database,
  accountId: string,
  request: IdempotentRequest,
  answer: RememberedAnswer,
): Promise<RememberedAnswer> {
  return (await claimKey(db.pool, accountId, request, answer)) ?? answer;
}

/**
 * Takes the key for this request, together with its answer; both count once the surrounding
 * transaction commits. A twin in another transaction waits here until then, and takes over when
 * that one rolls back.
 * @returns null: taken; else the earlier answer to replay.
 * @throws AppError IDEMPOTENCY_CONFLICT
 */
export async function claimKey(
  client: Queryable,
  accountId: string,
  request: IdempotentRequest,
  answer: RememberedAnswer,
): Promise<RememberedAnswer | null> {
  for (;;) {
    const claimed = await client.query({
      name: 'claim-idempotency-key',
      text: `insert into idempotency_keys as k (account_id, key, fingerprint, status, body)
        values ($1, $2, $3, $4, $5)
        on conflict (account_id, key) do update set
          fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, created_at = now(),
          awaited_until = null
        where k.created_at <= now() - ${ANSWER_LIFETIME_SQL}`,
      values: [accountId, request.key, request.fingerprint, answer.status, JSON.stringify(answer.body)],
    });
    if (claimed.rowCount === 1) return null;
    const earlier = await readAnswer(client, accountId, request);
    // null: it was pruned between the two statements, so the key is free again.
    if (earlier !== null) return earlier;
  }
}

/** Records that a request with this key waits for what its answer names, and how long. */
export async function awaitAnswer(
  db: Database,
  accountId: string,
  request: IdempotentRequest,
  waitMs: number,
): Promise<void> {
  await db.pool.query({
    name: 'await-answer',
    text: `update idempotency_keys set awaited_until = greatest(awaited_until, now() + $4::float8 * interval '1 ms')
      where account_id = $1 and key = $2 and fingerprint = $3`,
    values: [accountId, request.key, request.fingerprint, waitMs],
  });
}

/** Returns whether a concurrent duplicate still waits, in this process or another. */
export async function isAwaited(
  db: Database,
  accountId: string,
  request: IdempotentRequest,
): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    'select 1 from idempotency_keys where account_id = $1 and key = $2 and fingerprint = $3 and awaited_until > now()',
    [accountId, request.key, request.fingerprint],
  );
  return rowCount === 1;
}

/**
 * Forgets an answer that turned out to be none, so that the next request with the key is a first
 * one again.
 */
export async function forgetAnswer(
  db: Database,
  accountId: string,
  request: IdempotentRequest,
  answer: RememberedAnswer,
): Promise<void> {
  await db.pool.query({
    name: 'forget-answer',
    text: `delete from idempotency_keys
      where account_id = $1 and key = $2 and fingerprint = $3 and body::jsonb = $4::jsonb`,
    values: [accountId, request.key, request.fingerprint, JSON.stringify(answer.body)],
  });
}

async function readAnswer(
  client: Queryable,
  accountId: string,
  request: IdempotentRequest,
): Promise<RememberedAnswer | null> {
  const { rows } = await client.query<AnswerRow>({
    name: 'read-remembered-answer',
    text: `select fingerprint, status, body from idempotency_keys
      where account_id = $1 and key = $2 and created_at > now() - ${ANSWER_LIFETIME_SQL}`,
    values: [accountId, request.key],
  });
  const row = rows[0];
  if (row === undefined) return null;
  if (!row.fingerprint.equals(request.fingerprint)) {
    throw new AppError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was already used for another request.', {
      field: 'Idempotency-Key',
    });
  }
  return { status: row.status, body: row.body };
}

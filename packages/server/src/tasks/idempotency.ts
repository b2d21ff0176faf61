import { AppError } from '@guise/contract/errors.ts';
import { IDEMPOTENCY_LIFETIME_MS } from '@guise/contract/limits.ts';
import type { Database, Queryable } from '../db/database.ts';

/** The `Idempotency-Key` of a request, with a fingerprint of the request. */
export interface IdempotentRequest {
  /** 1 to 255 characters. */
  readonly key: string;
  /** SHA-256 over method, path, query, decoded fields and the SHA-256 of each file. */
  readonly fingerprint: Buffer;
}

/** A 2xx answer that is sent again if the same request is repeated. */
export interface RememberedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Lifetime of an answer as SQL, because it is measured by the database's clock. */
export const ANSWER_LIFETIME_SQL = `interval '${IDEMPOTENCY_LIFETIME_MS / 1000} s'`;

/**
 * Finds the answer that the same request got before.
 * @returns null if there is none, or it is older than 24 hours.
 * @throws AppError IDEMPOTENCY_CONFLICT if the key was used for another request.
 */
export async function findRememberedAnswer(
  db: Database,
  accountId: string,
  request: IdempotentRequest,
): Promise<RememberedAnswer | null> {
  return readAnswer(db.pool, accountId, request);
}

/**
 * Returns whether a request with this key was answered. Does not check that it was the same
 * request.
 */
export async function isKeyKnown(db: Database, accountId: string, key: string): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    `select 1 from idempotency_keys
     where account_id = $1 and key = $2 and created_at > now() - ${ANSWER_LIFETIME_SQL}`,
    [accountId, key],
  );
  return rowCount === 1;
}

/**
 * Remembers the answer of a request that created no task (dry run, detection). The first answer
 * wins.
 * @returns the answer to send: this one, or that of an identical concurrent request.
 * @throws AppError IDEMPOTENCY_CONFLICT if the key was used for another request.
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
 * Reserves the key for this request and saves its answer; both take effect when the surrounding
 * transaction commits. A concurrent request with the same key waits here until then, and gets the
 * key if that transaction is rolled back.
 * @returns null if the key was reserved; otherwise the earlier answer.
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
    // If null, the earlier answer was pruned between the two statements, and the key is free again.
    if (earlier !== null) return earlier;
  }
}

/**
 * Records that a request with this key waits for the result of the task in its answer, and for how
 * long.
 */
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

/** Returns whether an identical concurrent request is still waiting, in any process. */
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
 * Deletes a remembered answer whose task did not succeed, so that the next request with the key
 * counts as the first one.
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
  const { rows } = await client.query<RememberedAnswer & { readonly fingerprint: Buffer }>({
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

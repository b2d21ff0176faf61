import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { invalidField } from '@guise/contract/errors.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import type { Database } from '../../db/database.ts';
import {
  findRememberedAnswer,
  rememberAnswer,
  type IdempotentRequest,
  type RememberedAnswer,
} from '../../tasks/idempotency.ts';

/**
 * Reads the idempotency key. @returns null if the header was not sent.
 * @throws AppError INVALID_REQUEST
 */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const values = request.raw.headersDistinct['idempotency-key'];
  if (values === undefined) return null;
  const limit = AI_TASKS_LIMITS.idempotencyKeyLength;
  const [key] = values;
  if (values.length !== 1 || key === undefined || key.length === 0 || key.length > limit) {
    throw invalidField('Idempotency-Key', `must be sent once and have 1 to ${limit} characters.`, { limit });
  }
  return key;
}

/**
 * Makes the fingerprint that decides whether two requests are the same
 * (docs/spec/details#idempotency).
 */
export function idempotentRequest(
  key: string,
  request: FastifyRequest,
  formDigest: Buffer,
): IdempotentRequest {
  const [path] = request.url.split('?', 1);
  const query = Object.entries(request.query as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([request.method, path, query]))
    .update(formDigest)
    .digest();
  return { key, fingerprint };
}

/**
 * Finds the answer that the same request got before. Called before the checks, so that a replay
 * succeeds even if the rules have changed or the media can no longer be checked.
 * @param discard deletes what was read; called unless this is the first such request.
 * @returns null if there is none. @throws AppError IDEMPOTENCY_CONFLICT
 */
export async function findEarlier(
  db: Database,
  accountId: string,
  idempotency: IdempotentRequest | null,
  discard: () => Promise<void>,
): Promise<RememberedAnswer | null> {
  if (idempotency === null) return null;
  let isFirst = false;
  try {
    const earlier = await findRememberedAnswer(db, accountId, idempotency);
    isFirst = earlier === null;
    return earlier;
  } finally {
    if (!isFirst) await discard();
  }
}

/** Makes and remembers the answer to a request that creates nothing visible to clients. */
export async function answerOnce(
  db: Database,
  accountId: string,
  idempotency: IdempotentRequest | null,
  make: () => Promise<unknown>,
): Promise<RememberedAnswer> {
  const answer = { status: 200, body: await make() };
  return idempotency ? await rememberAnswer(db, accountId, idempotency, answer) : answer;
}

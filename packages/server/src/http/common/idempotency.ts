import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import type { Database } from '../../db/database.ts';
import {
  findRememberedAnswer,
  rememberAnswer,
  type IdempotentRequest,
  type RememberedAnswer,
} from '../../tasks/idempotency.ts';

/** @returns null where the header was not sent. @throws AppError INVALID_REQUEST */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const values = request.raw.headersDistinct['idempotency-key'];
  if (values === undefined) return null;
  const limit = AI_TASKS_LIMITS.idempotencyKeyLength;
  const [key] = values;
  if (values.length !== 1 || key === undefined || key.length === 0 || key.length > limit) {
    throw new AppError(
      'INVALID_REQUEST',
      `Idempotency-Key must be sent once and have 1 to ${limit} characters.`,
      {
        limit,
      },
    );
  }
  return key;
}

/** Decisions, Idempotency: the same method, path, query, decoded fields and files' SHA-256. */
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

/** The answer to a request that creates nothing a client could read; it is remembered all the same. */
export async function answerOnce(
  db: Database,
  accountId: string,
  idempotency: IdempotentRequest | null,
  make: () => Promise<unknown>,
): Promise<RememberedAnswer> {
  const earlier = idempotency && (await findRememberedAnswer(db, accountId, idempotency));
  if (earlier) return earlier;
  const answer = { status: 200, body: await make() };
  return idempotency ? await rememberAnswer(db, accountId, idempotency, answer) : answer;
}

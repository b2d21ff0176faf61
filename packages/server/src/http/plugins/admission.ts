import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_VERSION } from '@guise/contract/ai-tasks/api-version.ts';
import { AppError } from '@guise/contract/errors.ts';
import type { TaskType } from '@guise/contract/task.ts';
import {
  admit,
  type Admission,
  type AdmittedAccount,
  type Rate,
  RATE_WINDOW_SECONDS,
  type RateBucket,
} from '../../accounts/admit.ts';
import { hashApiKey } from '../../accounts/api-keys.ts';
import type { Database } from '../../db/database.ts';
import { admitAndReadTask } from '../../tasks/admit-and-read-task.ts';
import type { Task } from '../../tasks/task.ts';
import { isUuid } from '../common/query.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the admission hooks. */
    caller: AdmittedAccount | null;
    /** Set by `admitPoll`: the task that `taskId` names. */
    polledTask: Task | null;
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * `onRequest` hooks, so before a byte of the body is read, in the decided order: 401, 429, 403; the first 400 (the
 * version) only then.
 */
export function admitPost(db: Database): Hook {
  return async (request, reply) => {
    const admission = await admit(db, { keyHash: keyHashOf(request), bucket: 'ai-tasks' });
    const account = settle(admission, 'ai-tasks', request, reply);
    if (!account.emailVerified) {
      throw new AppError('EMAIL_NOT_VERIFIED', 'The email address of this account is not verified.');
    }
    requireKnownVersion(request);
  };
}

export function admitRead(db: Database): Hook {
  return async (request, reply) => {
    const admission = await admit(db, { keyHash: keyHashOf(request), bucket: 'ai-tasks:read' });
    settle(admission, 'ai-tasks:read', request, reply);
    requireKnownVersion(request);
  };
}

/** Every request of `/v1`, polls included (decisions: Rates). */
export function admitV1(db: Database): Hook {
  return async (request, reply) => {
    settle(await admit(db, { keyHash: keyHashOf(request), bucket: 'v1' }), 'v1', request, reply);
  };
}

/** Admission and task in one statement: a poll costs no second query. */
export function admitPoll(db: Database, type: TaskType): Hook {
  return async (request, reply) => {
    const { taskId } = request.query as { taskId?: unknown };
    const poll = await admitAndReadTask(db, {
      keyHash: keyHashOf(request),
      bucket: 'ai-tasks:read',
      taskId: isUuid(taskId) ? taskId : null,
      interface: 'ai-tasks',
      type,
    });
    settle(poll, 'ai-tasks:read', request, reply);
    request.polledTask = poll.task;
    requireKnownVersion(request);
  };
}

/** Only on routes behind an admission hook. */
export function callerOf(request: FastifyRequest): AdmittedAccount {
  if (request.caller === null) throw new Error('this route has no admission hook');
  return request.caller;
}

/** @throws AppError UNAUTHENTICATED */
function keyHashOf(request: FastifyRequest): Buffer {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const hash = token === undefined ? null : hashApiKey(token);
  if (hash === null || countAuthorizations(request.raw.rawHeaders) !== 1) throw unauthenticated();
  return hash;
}

/** Spec: "The key is sent once per request". Node's `headers` keeps the first of several and hides the rest. */
function countAuthorizations(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  return count;
}

function settle(
  { account, rate }: Admission,
  bucket: RateBucket,
  request: FastifyRequest,
  reply: FastifyReply,
): AdmittedAccount {
  if (account === null) throw unauthenticated();
  if (rate !== null) applyRate(rate, bucket, reply);
  request.caller = account;
  return account;
}

/** Header fields of draft-ietf-httpapi-ratelimit-headers-10. */
function applyRate(rate: Rate, bucket: RateBucket, reply: FastifyReply): void {
  reply.header('ratelimit-policy', `"${bucket}";q=${rate.limit};w=${RATE_WINDOW_SECONDS}`);
  reply.header('ratelimit', `"${bucket}";r=${rate.remaining};t=${rate.resetSeconds}`);
  if (rate.allowed) return;
  reply.header('retry-after', rate.resetSeconds);
  throw new AppError(
    'RATE_LIMITED',
    `At most ${rate.limit} of these requests are allowed in ${RATE_WINDOW_SECONDS} seconds; try again in ${rate.resetSeconds} seconds.`,
    { limit: rate.limit, resetSeconds: rate.resetSeconds },
  );
}

function unauthenticated(): AppError {
  return new AppError(
    'UNAUTHENTICATED',
    'A valid API key is needed, once, as "Authorization: Bearer <API_KEY>".',
  );
}

function requireKnownVersion(request: FastifyRequest): void {
  const asked = request.headers['api-version'];
  if (asked !== undefined && asked !== API_VERSION) {
    throw new AppError('INVALID_REQUEST', `Api-Version must be ${API_VERSION} or left out.`);
  }
}

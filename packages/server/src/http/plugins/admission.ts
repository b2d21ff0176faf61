import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_VERSION } from '@guise/contract/ai-tasks/api-version.ts';
import { AppError, invalidField } from '@guise/contract/errors.ts';
import type { TaskType } from '@guise/contract/task.ts';
import {
  admit,
  admitAccount,
  type Admission,
  type AdmissionRequest,
  type AdmittedAccount,
  type Quota,
  type Rate,
  RATE_WINDOW_SECONDS,
  type RateBucket,
} from '../../accounts/admit.ts';
import { hashApiKey } from '../../accounts/api-keys.ts';
import { refundRequest } from '../../accounts/refund-request.ts';
import type { UnlimitedUse } from '../../accounts/unlimited-use.ts';
import type { Database } from '../../db/database.ts';
import { normaliseAddress } from '../../net/normalise-address.ts';
import { admitAndReadTask } from '../../tasks/admit-and-read-task.ts';
import type { Task } from '../../tasks/task.ts';
import { isUuid } from '../common/query.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Account that an admission hook admitted. */
    caller: AdmittedAccount | null;
    /** Quota after this request; null if the plan has no limit. */
    rate: Rate | null;
    /** Bucket in which the request was counted; null if the plan has no limit. */
    rateBucket: RateBucket | null;
    /** Bucket of the request if the plan has no limit. */
    unlimitedBucket: RateBucket | null;
    /** Task that a poll asks for; set by `admitPoll` and `admitV1Poll`. */
    polledTask: Task | null;
  }
}

/** Length of the window of a daily limit. */
const DAY_SECONDS = 86_400;

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Admits a POST before its body is read. Errors have a fixed order: 401, 429, 403, and then 400 for
 * a wrong version.
 */
export function admitPost(db: Database): Hook {
  return async (request, reply) => {
    const admission = await admit(db, identify(request, 'ai-tasks'));
    const account = settle(admission, 'ai-tasks', request, reply);
    if (!account.emailVerified) {
      throw new AppError('EMAIL_NOT_VERIFIED', 'The email address of this account is not verified.');
    }
    requireKnownVersion(request);
  };
}

/**
 * Admits a POST of a signed-in account with the same limits as a request with an API key.
 * @throws AppError
 */
export async function admitOwnPost(
  db: Database,
  accountId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const clientAddress = normaliseAddress(request.ip);
  const admission = await admitAccount(db, { accountId, bucket: 'ai-tasks', clientAddress });
  // A request with a key would get 401 here, but the session is valid.
  if (admission.account !== null && !admission.addressAllowed) throw notFromHere();
  settle(admission, 'ai-tasks', request, reply);
}

export function admitRead(db: Database): Hook {
  return async (request, reply) => {
    const admission = await admit(db, identify(request, 'ai-tasks:read'));
    settle(admission, 'ai-tasks:read', request, reply);
    requireKnownVersion(request);
  };
}

/** Admits a poll and reads its task in one statement, to save a query. */
export function admitPoll(db: Database, type: TaskType): Hook {
  return async (request, reply) => {
    const { taskId } = request.query as { taskId?: unknown };
    const poll = await admitAndReadTask(db, {
      ...identify(request, 'ai-tasks:read'),
      taskId: isUuid(taskId) ? taskId : null,
      interface: 'ai-tasks',
      types: [type],
    });
    settle(poll, 'ai-tasks:read', request, reply);
    request.polledTask = poll.task;
    requireKnownVersion(request);
  };
}

/**
 * Admits any request of v1. Errors have a fixed order: 401, 429, and then 403 for an address that
 * is not on the account's list.
 */
export function admitV1(db: Database): Hook {
  return async (request, reply) => {
    settle(await admit(db, identify(request, 'v1')), 'v1', request, reply);
  };
}

/**
 * Admits a poll of v1 and reads its task in one statement.
 * @param readTaskId returns a well-formed UUID, or null if the request names no task. The request
 * is counted
 *   in both cases.
 */
export function admitV1Poll(db: Database, readTaskId: (request: FastifyRequest) => string | null): Hook {
  return async (request, reply) => {
    const poll = await admitAndReadTask(db, {
      ...identify(request, 'v1'),
      taskId: readTaskId(request),
      interface: 'v1',
      types: ['VIDEO_SWAP', 'BATCH_FACE_SWAP'],
    });
    settle(poll, 'v1', request, reply);
    request.polledTask = poll.task;
  };
}

/**
 * Takes back the count of an admitted request that is then refused with a 429, and corrects its
 * headers.
 */
export async function refundRate(db: Database, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { rate, rateBucket } = request;
  if (rate === null || rateBucket === null) return;
  await refundRequest(db, callerOf(request).id, rateBucket);
  const { day } = rate;
  const given = { ...rate, remaining: rate.remaining + 1 };
  showRate({ ...given, day: day && { ...day, remaining: day.remaining + 1 } }, rateBucket, reply);
}

/**
 * Counts requests of plans without a limit, so that accounts see their usage. The counts are
 * written before the app is closed.
 */
export function countUnlimited(app: FastifyInstance, use: UnlimitedUse): void {
  app.addHook('onResponse', (request, _reply, done) => {
    const { caller, unlimitedBucket } = request;
    if (caller !== null && unlimitedBucket !== null) use.count(caller.id, unlimitedBucket);
    done();
  });
  app.addHook('onClose', () => use.flush());
}

/** Returns the admitted account. Only for routes with an admission hook. */
export function callerOf(request: FastifyRequest): AdmittedAccount {
  if (request.caller === null) throw new Error('this route has no admission hook');
  return request.caller;
}

/** Reads the API key and the address of a request. @throws AppError UNAUTHENTICATED */
function identify(request: FastifyRequest, bucket: RateBucket): AdmissionRequest {
  return { keyHash: keyHashOf(request), bucket, clientAddress: normaliseAddress(request.ip) };
}

/** Returns the hash of a request's API key. @throws AppError UNAUTHENTICATED */
export function keyHashOf(request: FastifyRequest): Buffer {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const hash = token === undefined ? null : hashApiKey(token);
  if (hash === null || countAuthorizations(request.raw.rawHeaders) !== 1) throw unauthenticated();
  return hash;
}

/**
 * Counts the Authorization headers, because a key must be sent exactly once. Node's `headers`
 * contains only the first one.
 */
function countAuthorizations(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  return count;
}

function settle(
  { account, rate, addressAllowed }: Admission,
  bucket: RateBucket,
  request: FastifyRequest,
  reply: FastifyReply,
): AdmittedAccount {
  if (account === null) throw unauthenticated();
  if (rate === null) request.unlimitedBucket = bucket;
  else {
    request.rateBucket = bucket;
    applyRate(rate, bucket, reply);
  }
  request.rate = rate;
  if (!addressAllowed) {
    // ai-tasks has no error code for this: a key that is used from another address counts as
    // invalid.
    throw bucket === 'v1' ? notFromHere() : unauthenticated();
  }
  request.caller = account;
  return account;
}

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers-10. */
function showRate(rate: Rate, bucket: RateBucket, reply: FastifyReply): void {
  const windows: [string, Quota, number][] = [[bucket, rate, RATE_WINDOW_SECONDS]];
  if (rate.day !== null) windows.push([`${bucket}:day`, rate.day, DAY_SECONDS]);
  reply.header(
    'ratelimit-policy',
    windows.map(([name, { limit }, w]) => `"${name}";q=${limit};w=${w}`).join(', '),
  );
  reply.header(
    'ratelimit',
    windows.map(([name, quota]) => `"${name}";r=${quota.remaining};t=${quota.resetSeconds}`).join(', '),
  );
}

function applyRate(rate: Rate, bucket: RateBucket, reply: FastifyReply): void {
  showRate(rate, bucket, reply);
  if (rate.allowed) return;
  const { limit, resetSeconds } = rate.refusedBy === 'day' && rate.day !== null ? rate.day : rate;
  const span = rate.refusedBy === 'day' ? 'a day (UTC)' : `${RATE_WINDOW_SECONDS} seconds`;
  throw new AppError(
    'RATE_LIMITED',
    `At most ${limit} of these requests are allowed in ${span}; try again in ${resetSeconds} seconds.`,
    { limit, resetSeconds },
  );
}

function notFromHere(): AppError {
  return new AppError('IP_NOT_ALLOWED', 'This account may not be used from this address.');
}

export function unauthenticated(): AppError {
  return new AppError(
    'UNAUTHENTICATED',
    'A valid API key is needed, once, as "Authorization: Bearer <API_KEY>".',
  );
}

/** Refuses a request for another version. @throws AppError INVALID_REQUEST */
export function requireKnownVersion(request: FastifyRequest): void {
  const asked = request.headers['api-version'];
  if (asked !== undefined && asked !== API_VERSION) {
    throw invalidField('Api-Version', `must be ${API_VERSION} or left out.`);
  }
}

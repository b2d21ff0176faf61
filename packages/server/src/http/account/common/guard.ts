import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { findAccountById } from '../../../accounts/find-account.ts';
import type { Account } from '../../../accounts/account.ts';
import type { Session, Visitor } from '../../../sign-in/sessions.ts';
import { requireSession } from '../../../sign-in/sign-in.ts';
import type { HttpDeps } from '../../common/deps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `signedIn`. */
    signedInSession: Session | null;
  }
}

export type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Largest number of characters of a browser's name that a session stores. */
const MAX_USER_AGENT_LENGTH = 300;

/** Hosts that a person may type for this machine. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Hosts in a public URL that stand for this machine. */
const THIS_MACHINE = new Set([...LOOPBACK_HOSTS, '0.0.0.0', '[::]']);

/**
 * Refuses requests from pages of other sites. A change must carry our origin in a header that pages
 * cannot set, and no page of another site may read an answer. SameSite=Strict is a second
 * protection.
 */
export function ownOriginOnly(publicUrl: string): Hook {
  const origins = ownOrigins(publicUrl);
  return async (request) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isSafe = SAFE_METHODS.has(request.method);
    const isOwn = origin === undefined ? isSafe : origins.has(origin);
    const isSameSite = site === undefined || site === 'same-origin' || (isSafe && site === 'none');
    if (isOwn && isSameSite) return;
    throw new AppError(
      'FORBIDDEN',
      `Requests must come from the pages of ${publicUrl} (GUISE_PUBLIC_URL names where people find this service).`,
    );
  };
}

/** Lists the origins of our pages. If the public URL names this machine, all its names count. */
function ownOrigins(publicUrl: string): Set<string> {
  const { origin, protocol, hostname, port } = new URL(publicUrl);
  if (!THIS_MACHINE.has(hostname)) return new Set([origin]);
  return new Set([
    origin,
    ...LOOPBACK_HOSTS.map((host) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`),
  ]);
}

/** Requires a session before the body is read. @throws AppError UNAUTHENTICATED */
export function signedIn({ signIn }: HttpDeps): Hook {
  return async (request, reply) => {
    const { session, cookies } = await requireSession(signIn, visitorOf(request));
    request.signedInSession = session;
    setCookies(reply, cookies);
  };
}

/** Returns the session. Only for routes with the hook `signedIn`. */
export function sessionOf(request: FastifyRequest): Session {
  if (request.signedInSession === null) throw new Error('this route has no session hook');
  return request.signedInSession;
}

export async function accountOf(deps: HttpDeps, request: FastifyRequest): Promise<Account> {
  const account = await findAccountById(deps.database, sessionOf(request).accountId);
  if (account === null) throw new AppError('UNAUTHENTICATED', 'Sign in first.');
  return account;
}

export function visitorOf(request: FastifyRequest): Visitor {
  const { cookie, 'user-agent': userAgent } = request.headers;
  return {
    address: request.ip,
    userAgent: (userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    cookie: cookie ?? '',
  };
}

export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
}

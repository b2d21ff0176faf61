import type { KeyObject } from 'node:crypto';
import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import type { Database } from '../db/database.ts';
import type { SecretRing } from '../db/installation-secrets.ts';
import { sessionAdapter } from './session-adapter.ts';
import { resignCookie } from './resign-cookie.ts';

/** Lifetime of a session that is not used. */
export const SESSION_LIFETIME_SECONDS = 14 * 24 * 3600;

/** Shortest time between two prolongations of a session in use. */
const PROLONG_INTERVAL_SECONDS = 24 * 3600;

/** Path below which the session cookie is sent: the only ones that read it. */
const COOKIE_PATH = '/account';

/** Start of the names of better-auth's cookies. */
const COOKIE_PREFIX = 'guise';

/** Name of the session's cookie, after `__Secure-` where the service is reached by https. */
const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;

/** Parts of a request that matter to sessions. */
export interface Visitor {
  /** Address as the trusted proxies report it. */
  readonly address: string;
  readonly userAgent: string;
  readonly cookie: string;
}

export interface Session {
  readonly id: string;
  readonly accountId: string;
}

/** Sessions and their cookie: better-auth, and nothing of it on the wire. */
export interface Sessions {
  /** Opens a session. @returns its Set-Cookie headers. */
  open(accountId: string, visitor: Visitor): Promise<string[]>;
  /**
   * Finds the session of a visitor; null if there is none, or it has ended. `cookies` are
   * Set-Cookie headers to pass on if it was prolonged.
   */
  find(visitor: Visitor): Promise<{ readonly session: Session; readonly cookies: string[] } | null>;
  /** Ends the visitor's session, if any. @returns Set-Cookie headers that clear the cookie. */
  close(visitor: Visitor): Promise<string[]>;
}

export interface SessionOptions {
  readonly db: Database;
  /** Sign the cookie; the same in every process. */
  readonly secrets: SecretRing;
  readonly publicUrl: string;
}

export function createSessions({ db, secrets, publicUrl }: SessionOptions): Sessions {
  let open: { readonly secret: KeyObject; readonly auth: Auth } | null = null;
  // Made anew after a rotation, as it takes its secret once.
  const current = (): Auth => {
    const secret = secrets.signing();
    if (open?.secret !== secret) open = { secret, auth: createAuth(db, textOf(secret), publicUrl) };
    return open.auth;
  };
  const headersOf = ({ address, userAgent, cookie }: Visitor): Headers => {
    const texts = secrets.accepted().map(textOf);
    return new Headers({
      'x-guise-address': address,
      'user-agent': userAgent,
      cookie: resignCookie(cookie, SESSION_COOKIE, texts),
    });
  };
  return {
    async open(accountId, visitor) {
      const { headers } = await current().api.openSession({
        body: { accountId },
        headers: headersOf(visitor),
        returnHeaders: true,
      });
      return headers.getSetCookie();
    },
    async find(visitor) {
      // Most visitors without one have no cookie at all.
      if (visitor.cookie === '') return null;
      const { response, headers } = await current().api.getSession({
        headers: headersOf(visitor),
        returnHeaders: true,
      });
      if (response === null) return null;
      const { id, userId } = response.session;
      return { session: { id, accountId: userId }, cookies: headers.getSetCookie() };
    },
    async close(visitor) {
      const { headers } = await current().api.signOut({ headers: headersOf(visitor), returnHeaders: true });
      return headers.getSetCookie();
    },
  };
}

/** Configures better-auth with our one way to open a session. */
function createAuth(db: Database, secret: string, publicUrl: string) {
  const endpoint = { method: 'POST', metadata: { $Infer: { body: {} as { accountId: string } } } } as const;
  const openSession = createAuthEndpoint('/open-session', endpoint, async (ctx) => {
    const { accountId } = ctx.body;
    const user = await ctx.context.internalAdapter.findUserById(accountId);
    if (user === null) throw new Error('a session for no account');
    const session = await ctx.context.internalAdapter.createSession(accountId);
    await setSessionCookie(ctx, { session, user });
    return ctx.json({});
  });
  return betterAuth({
    appName: 'guise',
    baseURL: publicUrl,
    basePath: '/account/auth',
    secret,
    database: sessionAdapter(db),
    session: { expiresIn: SESSION_LIFETIME_SECONDS, updateAge: PROLONG_INTERVAL_SECONDS },
    telemetry: { enabled: false },
    // It would log addresses of people; what matters is logged at our edge.
    logger: { disabled: true },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: publicUrl.startsWith('https:'),
      defaultCookieAttributes: { sameSite: 'strict', httpOnly: true, path: COOKIE_PATH },
      // Ours alone, set below: the trusted address.
      ipAddress: { ipAddressHeaders: ['x-guise-address'] },
    },
    plugins: [{ id: 'guise', endpoints: { openSession } }],
  } satisfies BetterAuthOptions);
}

type Auth = ReturnType<typeof createAuth>;

function textOf(secret: KeyObject): string {
  return secret.export().toString('hex');
}

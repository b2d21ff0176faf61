import type { KeyObject } from 'node:crypto';
import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import type { Database } from '../db/database.ts';
import type { SecretRing } from '../db/installation-secrets.ts';
import { sessionAdapter } from './session-adapter.ts';
import { resignCookie } from './resign-cookie.ts';

/** Lifetime of an unused session. */
export const SESSION_LIFETIME_SECONDS = 14 * 24 * 3600;

/** Shortest time between two extensions of a session in use. */
const PROLONG_INTERVAL_SECONDS = 24 * 3600;

/** Path to which the session cookie is sent. Only routes below it read the cookie. */
const COOKIE_PATH = '/account';

/** Prefix of the names of better-auth's cookies. */
const COOKIE_PREFIX = 'guise';

/** Name of the session cookie. With https it also has the prefix `__Secure-`. */
const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;

/** Parts of a request that sessions need. */
export interface Visitor {
  /** IP address, as reported by the trusted proxies. */
  readonly address: string;
  readonly userAgent: string;
  readonly cookie: string;
}

export interface Session {
  readonly id: string;
  readonly accountId: string;
}

/** Sessions and their cookie. better-auth manages them, but none of its own routes is served. */
export interface Sessions {
  /** Opens a session. @returns its Set-Cookie headers. */
  open(accountId: string, visitor: Visitor): Promise<string[]>;
  /**
   * Finds the session of a visitor; null if there is none or it has expired. `cookies` are
   * Set-Cookie headers to send if the session was extended.
   */
  find(visitor: Visitor): Promise<{ readonly session: Session; readonly cookies: string[] } | null>;
  /**
   * Ends the visitor's session, if there is one. @returns Set-Cookie headers that delete the
   * cookie.
   */
  close(visitor: Visitor): Promise<string[]>;
}

export interface SessionOptions {
  readonly db: Database;
  /** Secrets that sign the cookie, the same in every process. */
  readonly secrets: SecretRing;
  readonly publicUrl: string;
}

export function createSessions({ db, secrets, publicUrl }: SessionOptions): Sessions {
  let open: { readonly secret: KeyObject; readonly auth: Auth } | null = null;
  // better-auth reads its secret only when it is created, so a rotation needs a new instance.
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
      // A visitor without cookies has no session, so no query is needed.
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

/** Configures better-auth. `openSession` is the only way to open a session. */
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
    // better-auth would log email addresses. Our own routes log what is needed.
    logger: { disabled: true },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: publicUrl.startsWith('https:'),
      defaultCookieAttributes: { sameSite: 'strict', httpOnly: true, path: COOKIE_PATH },
      // `headersOf` sets this header to the address that the trusted proxies report.
      ipAddress: { ipAddressHeaders: ['x-guise-address'] },
    },
    plugins: [{ id: 'guise', endpoints: { openSession } }],
  } satisfies BetterAuthOptions);
}

type Auth = ReturnType<typeof createAuth>;

function textOf(secret: KeyObject): string {
  return secret.export().toString('hex');
}

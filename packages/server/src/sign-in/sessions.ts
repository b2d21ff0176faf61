import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import type { Database } from '../db/database.ts';
import { sessionAdapter } from './session-adapter.ts';

/** Lifetime of a session that is not used. */
const SESSION_LIFETIME_SECONDS = 14 * 24 * 3600;

/** Shortest time between two prolongations of a session in use. */
const PROLONG_INTERVAL_SECONDS = 24 * 3600;

/** Path below which the session cookie is sent: the only ones that read it. */
const COOKIE_PATH = '/account';

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
  /** Signs the cookie; the same in every process. */
  readonly secret: Buffer;
  readonly publicUrl: string;
}

export function createSessions({ db, secret, publicUrl }: SessionOptions): Sessions {
  const endpoint = { method: 'POST', metadata: { $Infer: { body: {} as { accountId: string } } } } as const;
  const openSession = createAuthEndpoint('/open-session', endpoint, async (ctx) => {
    const { accountId } = ctx.body;
    const user = await ctx.context.internalAdapter.findUserById(accountId);
    if (user === null) throw new Error('a session for no account');
    const session = await ctx.context.internalAdapter.createSession(accountId);
    await setSessionCookie(ctx, { session, user });
    return ctx.json({});
  });
  const auth = betterAuth({
    appName: 'guise',
    baseURL: publicUrl,
    basePath: '/account/auth',
    secret: secret.toString('hex'),
    database: sessionAdapter(db),
    session: { expiresIn: SESSION_LIFETIME_SECONDS, updateAge: PROLONG_INTERVAL_SECONDS },
    telemetry: { enabled: false },
    // It would log addresses of people; what matters is logged at our edge.
    logger: { disabled: true },
    advanced: {
      cookiePrefix: 'guise',
      useSecureCookies: publicUrl.startsWith('https:'),
      defaultCookieAttributes: { sameSite: 'strict', httpOnly: true, path: COOKIE_PATH },
      // Ours alone, set below: the trusted address.
      ipAddress: { ipAddressHeaders: ['x-guise-address'] },
    },
    plugins: [{ id: 'guise', endpoints: { openSession } }],
  } satisfies BetterAuthOptions);

  return {
    async open(accountId, visitor) {
      const { headers } = await auth.api.openSession({
        body: { accountId },
        headers: headersOf(visitor),
        returnHeaders: true,
      });
      return headers.getSetCookie();
    },
    async find(visitor) {
      // Most visitors without one have no cookie at all.
      if (visitor.cookie === '') return null;
      const { response, headers } = await auth.api.getSession({
        headers: headersOf(visitor),
        returnHeaders: true,
      });
      if (response === null) return null;
      const { id, userId } = response.session;
      return { session: { id, accountId: userId }, cookies: headers.getSetCookie() };
    },
    async close(visitor) {
      const { headers } = await auth.api.signOut({ headers: headersOf(visitor), returnHeaders: true });
      return headers.getSetCookie();
    },
  };
}

function headersOf({ address, userAgent, cookie }: Visitor): Headers {
  return new Headers({ 'x-guise-address': address, 'user-agent': userAgent, cookie });
}

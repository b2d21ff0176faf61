import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@guise/contract/errors.ts';
import type { Queryable } from '../db/database.ts';

export type LinkPurpose = 'verify' | 'change' | 'reset' | 'sign-in';

const HOUR_MS = 3_600_000;
const LIFETIME_MS: Record<LinkPurpose, number> = {
  verify: 24 * HOUR_MS,
  change: HOUR_MS,
  reset: HOUR_MS,
  'sign-in': HOUR_MS,
};
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The dashboard's page for each; the token is the fragment, so that it reaches no server, log or referrer. */
const PAGES: Record<LinkPurpose, string> = {
  verify: '/verify-email',
  change: '/confirm-email',
  reset: '/reset-password',
  'sign-in': '/sign-in/link',
};

export interface NewLink {
  readonly accountId: string;
  readonly purpose: LinkPurpose;
  /** Whom it is sent to. */
  readonly email: string;
}

/** 256 random bits; only their hash is kept. */
export function newToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token)! };
}

/** null for text that cannot be a token. */
export function hashToken(token: string): Buffer | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : null;
}

/**
 * A new link; the one of the same purpose before it no longer works. Whoever locks the account's row too does that first,
 * and not as a key (`for no key update`): this row refers to it.
 * @returns the whole link, for one person's eyes.
 */
export async function createEmailLink(db: Queryable, publicUrl: string, link: NewLink): Promise<string> {
  const { token, hash } = newToken();
  await db.query(
    `insert into email_links (hash, account_id, purpose, email, expires_at)
     values ($1, $2, $3, $4, now() + $5::float8 * interval '1 ms')
     on conflict (account_id, purpose) do update set
       hash = excluded.hash, email = excluded.email, created_at = now(), expires_at = excluded.expires_at`,
    [hash, link.accountId, link.purpose, link.email, LIFETIME_MS[link.purpose]],
  );
  return `${publicUrl}${PAGES[link.purpose]}#token=${token}`;
}

export interface UsedLink {
  readonly accountId: string;
  readonly purpose: LinkPurpose;
  readonly email: string;
}

/** Uses a link up: of any number of callers with one token a single one gets it. null: no such link, or it ended. */
export async function useEmailLink(
  db: Queryable,
  token: string,
  purposes: readonly LinkPurpose[],
): Promise<UsedLink | null> {
  const hash = hashToken(token);
  if (hash === null) return null;
  const { rows } = await db.query<{ account_id: string; purpose: LinkPurpose; email: string }>(
    `delete from email_links where hash = $1 and purpose = any($2) and expires_at > now()
     returning account_id, purpose, email`,
    [hash, purposes],
  );
  const row = rows[0];
  return row === undefined ? null : { accountId: row.account_id, purpose: row.purpose, email: row.email };
}

/** Whose link it is, where it would be used up now. */
export async function findLinkAccount(
  db: Queryable,
  token: string,
  purpose: LinkPurpose,
): Promise<string | null> {
  const { rows } = await db.query<{ account_id: string }>(
    'select account_id from email_links where hash = $1 and purpose = $2 and expires_at > now()',
    [hashToken(token), purpose],
  );
  return rows[0]?.account_id ?? null;
}

/** What a link answers that is used, ended or was never one. */
export function linkEnded(): AppError {
  return new AppError('INVALID_REQUEST', 'This link was used before, or its time is over.');
}

import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@guise/contract/errors.ts';
import type pg from 'pg';
import type { Queryable } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { lockAccount } from './lock-account.ts';

export type LinkPurpose = 'verify' | 'change' | 'reset' | 'sign-in';

/** Milliseconds of an hour. */
const HOUR_MS = 3_600_000;

/** Lifetime of a link of each purpose. */
const LINK_LIFETIME_MS: Record<LinkPurpose, number> = {
  verify: 24 * HOUR_MS,
  change: HOUR_MS,
  reset: HOUR_MS,
  'sign-in': HOUR_MS,
};

/** Largest number of links of each purpose that are valid at the same time. */
const MAX_LINKS: Record<LinkPurpose, number> = { verify: 1, change: 1, reset: 3, 'sign-in': 3 };

/** Format of a token: 32 bytes in base64url. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Page of the dashboard for each purpose. The token is in the fragment of the URL, so that it never
 * appears in requests, logs or referrers.
 */
const PAGE_PATHS: Record<LinkPurpose, string> = {
  verify: '/verify-email',
  change: '/confirm-email',
  reset: '/reset-password',
  'sign-in': '/sign-in/link',
};

export interface NewLink {
  readonly accountId: string;
  readonly purpose: LinkPurpose;
  /** Address to which the mail is sent. */
  readonly email: string;
}

/** Makes a token of 256 random bits. Only its hash is stored. */
export function newToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token)! };
}

/** Returns the hash of a token; null if the text does not have the form of a token. */
export function hashToken(token: string): Buffer | null {
  return TOKEN_PATTERN.test(token) ? createHash('sha256').update(token).digest() : null;
}

/**
 * Creates a link in the caller's transaction, and locks the account. If the account has the maximum
 * number of links of this purpose, deletes the oldest.
 * @returns the complete URL, which only the person it is made for may see.
 */
export async function addEmailLink(client: Transaction, publicUrl: string, link: NewLink): Promise<string> {
  await lockAccount(client, link.accountId);
  await client.query(
    `delete from email_links where hash in (
       select hash from email_links where account_id = $1 and purpose = $2
       order by created_at desc, hash offset $3)`,
    [link.accountId, link.purpose, MAX_LINKS[link.purpose] - 1],
  );
  const { token, hash } = newToken();
  // `now()` is the start of the transaction. With it, a link could look older than an earlier one.
  await client.query(
    `insert into email_links (hash, account_id, purpose, email, created_at, expires_at)
     values ($1, $2, $3, $4, clock_timestamp(), now() + $5::float8 * interval '1 ms')`,
    [hash, link.accountId, link.purpose, link.email, LINK_LIFETIME_MS[link.purpose]],
  );
  return `${publicUrl}${PAGE_PATHS[link.purpose]}#token=${token}`;
}

/** Like `addEmailLink`, in its own transaction. */
export async function createEmailLink(pool: pg.Pool, publicUrl: string, link: NewLink): Promise<string> {
  return inTransaction(pool, (client) => addEmailLink(client, publicUrl, link));
}

/**
 * Creates a link if the account has fewer than the maximum number of valid links of this purpose.
 * So nobody else can make a link invalid that the owner has already received.
 * @returns null if the maximum is reached.
 */
export async function createSpareLink(
  pool: pg.Pool,
  publicUrl: string,
  link: NewLink,
): Promise<string | null> {
  return inTransaction(pool, async (client) => {
    await lockAccount(client, link.accountId);
    const { rowCount } = await client.query(
      'select 1 from email_links where account_id = $1 and purpose = $2 and expires_at > now()',
      [link.accountId, link.purpose],
    );
    return rowCount! < MAX_LINKS[link.purpose] ? addEmailLink(client, publicUrl, link) : null;
  });
}

/** A link that somebody followed. */
export interface FollowedLink {
  readonly accountId: string;
  readonly purpose: LinkPurpose;
  readonly token: string;
}

/**
 * Deletes a valid link and all other links of its purpose, because each link works only once. The
 * caller must have locked the account.
 * @returns the address to which the link was sent; null if this account has no such link or the
 * link has
 *   expired.
 */
export async function useEmailLink(
  client: Transaction,
  { accountId, purpose, token }: FollowedLink,
): Promise<string | null> {
  const { rows } = await client.query<{ email: string }>(
    `with used as (
       delete from email_links where hash = $3 and account_id = $1 and purpose = $2 and expires_at > now()
       returning email
     ), others as (
       delete from email_links where account_id = $1 and purpose = $2 and hash <> $3 and exists (select from used)
     )
     select email from used`,
    [accountId, purpose, hashToken(token)],
  );
  return rows[0]?.email ?? null;
}

/** Finds the account and address of a link; null if the link does not exist or has expired. */
export async function findEmailLink(
  db: Queryable,
  token: string,
  purpose: LinkPurpose,
): Promise<{ readonly accountId: string; readonly email: string } | null> {
  const { rows } = await db.query<{ accountId: string; email: string }>(
    `select account_id as "accountId", email from email_links
     where hash = $1 and purpose = $2 and expires_at > now()`,
    [hashToken(token), purpose],
  );
  return rows[0] ?? null;
}

/** Makes the error for a link that does not exist, was used or has expired. */
export function linkEnded(): AppError {
  return new AppError('INVALID_REQUEST', 'This link was used before, or it has expired.');
}

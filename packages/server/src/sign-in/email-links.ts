import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@guise/contract/errors.ts';
import type pg from 'pg';
import type { Queryable } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { lockAccount } from './lock-account.ts';

export type LinkPurpose = 'verify' | 'change' | 'reset' | 'sign-in';

/** Milliseconds of an hour. */
const HOUR_MS = 3_600_000;

/** Time for which a link of each purpose works. */
const LINK_LIFETIME_MS: Record<LinkPurpose, number> = {
  verify: 24 * HOUR_MS,
  change: HOUR_MS,
  reset: HOUR_MS,
  'sign-in': HOUR_MS,
};

/** Most links of a purpose that work side by side. */
const MAX_LINKS: Record<LinkPurpose, number> = { verify: 1, change: 1, reset: 3, 'sign-in': 3 };

/** Form of a token: 32 bytes in base64url. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Page of the dashboard for each purpose. The token is the fragment of the URL, so that it reaches
 * no server, log or referrer.
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
  /** Address that the mail is sent to. */
  readonly email: string;
}

/** Makes a token of 256 random bits, of which only the hash is stored. */
export function newToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token)! };
}

/** null for text that cannot be a token. */
export function hashToken(token: string): Buffer | null {
  return TOKEN_PATTERN.test(token) ? createHash('sha256').update(token).digest() : null;
}

/**
 * Makes a link in the caller's transaction, which locks the account. If its purpose has as many
 * links as may work, the oldest ends.
 * @returns the whole link, for one person's eyes.
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
  // The clock's time: the transaction may have begun before one whose link is older.
  await client.query(
    `insert into email_links (hash, account_id, purpose, email, created_at, expires_at)
     values ($1, $2, $3, $4, clock_timestamp(), now() + $5::float8 * interval '1 ms')`,
    [hash, link.accountId, link.purpose, link.email, LINK_LIFETIME_MS[link.purpose]],
  );
  return `${publicUrl}${PAGE_PATHS[link.purpose]}#token=${token}`;
}

/** Makes a link as `addEmailLink` does, in a transaction of its own. */
export async function createEmailLink(pool: pg.Pool, publicUrl: string, link: NewLink): Promise<string> {
  return inTransaction(pool, (client) => addEmailLink(client, publicUrl, link));
}

/**
 * Makes a link unless as many of its purpose work already as may, so that a stranger who asks for
 * one does not end those in the mailbox.
 * @returns null if there are enough.
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

/** A link as somebody follows it. */
export interface FollowedLink {
  readonly accountId: string;
  readonly purpose: LinkPurpose;
  readonly token: string;
}

/**
 * Uses a link up, and every other of its purpose with it; the caller has locked the account.
 * @returns the address it was sent to; null if this account has no such link, or it ended.
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

/** Finds the account and address of a link; null if there is none, or it has ended. */
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

/** Makes the error of a link that is used, ended or was never one. */
export function linkEnded(): AppError {
  return new AppError('INVALID_REQUEST', 'This link was used before, or its time is over.');
}

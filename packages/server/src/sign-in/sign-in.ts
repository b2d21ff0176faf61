import { AppError } from '@guise/contract/errors.ts';
import type { Database } from '../db/database.ts';
import { normaliseEmail } from '../accounts/email.ts';
import { inTransaction } from '../db/transaction.ts';
import { findEmailLink, useEmailLink } from './email-links.ts';
import type { SignInDeps } from './sign-in-deps.ts';
import { lockAccount } from './lock-account.ts';
import { findPassword } from './passwords.ts';
import type { Session, Visitor } from './sessions.ts';
import {
  clearedBySuccess,
  countAttempt,
  forgetAttempts,
  signInThrottles,
  tokenThrottles,
} from './throttle.ts';

/**
 * Signs in by email address and password. @returns Set-Cookie headers.
 * @throws AppError UNAUTHENTICATED if one of them is wrong or the address is not verified (only
 *   verified addresses have a password); FORBIDDEN for a suspended account, only if the password is
 *   right;
 *   RATE_LIMITED.
 */
export async function signIn(
  deps: SignInDeps,
  given: { readonly email: string; readonly password: string },
  visitor: Visitor,
): Promise<string[]> {
  const email = normaliseEmail(given.email);
  const found = await findPassword(deps.db, { email });
  const place = await deps.places.find(found?.accountId ?? null, visitor);
  const throttles = signInThrottles({ address: visitor.address, email, place });
  await countAttempt(deps.db, throttles);
  const asker = place === null ? 'stranger' : 'known';
  if (found === null || found.hash === null || !found.emailVerified) {
    // This takes as long as checking a password, so that the time does not show whether the account
    // exists.
    await deps.passwords.hash(given.password, asker);
    throw wrongCredentials();
  }
  if (!(await deps.passwords.verify(found.hash, given.password, asker))) throw wrongCredentials();
  if (found.suspended) throw new AppError('FORBIDDEN', 'This account is suspended.');
  await forgetAttempts(deps.db, clearedBySuccess(throttles));
  const cookies = await deps.sessions.open(found.accountId, visitor);
  if (await isStillPassword(deps.db, found.accountId, found.hash)) {
    return [...cookies, await deps.places.remember(found.accountId, visitor)];
  }
  await deps.sessions.close({ ...visitor, cookie: cookies.map((each) => each.split(';')[0]).join('; ') });
  throw wrongCredentials();
}

/**
 * Returns whether the password is still valid after the session was opened. Waits for a running
 * change. A new password ends all sessions, so a session that was opened with the old password
 * during the change must end too.
 */
async function isStillPassword(db: Database, accountId: string, hash: string): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    'select 1 from passwords where account_id = $1 and hash = $2 for share',
    [accountId, hash],
  );
  return rowCount === 1;
}

/**
 * Signs in by a one-time link that the operator made in a terminal.
 * @throws AppError UNAUTHENTICATED if the link was used or has expired.
 */
export async function signInByLink(deps: SignInDeps, token: string, visitor: Visitor): Promise<string[]> {
  await countAttempt(deps.db, tokenThrottles(visitor.address));
  const accountId = await useSignInLink(deps.db, token);
  if (accountId === null || !(await isActive(deps.db, accountId))) {
    throw new AppError('UNAUTHENTICATED', 'This link was used before, or it has expired.');
  }
  const cookies = await deps.sessions.open(accountId, visitor);
  return [...cookies, await deps.places.remember(accountId, visitor)];
}

/**
 * Uses up a sign-in link. @returns its account; null if there is no such link or it has expired.
 */
async function useSignInLink(db: Database, token: string): Promise<string | null> {
  const found = await findEmailLink(db.pool, token, 'sign-in');
  if (found === null) return null;
  const { accountId } = found;
  return inTransaction(db.pool, async (client) => {
    await lockAccount(client, accountId);
    const email = await useEmailLink(client, { accountId, purpose: 'sign-in', token });
    return email === null ? null : accountId;
  });
}

/**
 * Returns the visitor's session.
 * @throws AppError UNAUTHENTICATED if there is none, it has expired, or the account is suspended.
 */
export async function requireSession(
  deps: SignInDeps,
  visitor: Visitor,
): Promise<{ readonly session: Session; readonly cookies: string[] }> {
  const found = await deps.sessions.find(visitor);
  if (found === null || !(await isActive(deps.db, found.session.accountId))) {
    throw new AppError('UNAUTHENTICATED', 'Sign in first.');
  }
  return found;
}

async function isActive(db: Database, accountId: string): Promise<boolean> {
  const { rowCount } = await db.pool.query({
    name: 'is-active-account',
    text: 'select 1 from accounts where id = $1 and suspended_at is null and email_verified_at is not null',
    values: [accountId],
  });
  return rowCount === 1;
}

function wrongCredentials(): AppError {
  return new AppError('UNAUTHENTICATED', 'The email address or the password is wrong.');
}

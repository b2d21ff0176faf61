import { AppError } from '@guise/contract/errors.ts';
import { normaliseEmail } from '../accounts/email.ts';
import type { Database, Queryable } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { markVerified } from '../accounts/verify-email.ts';
import { createSpareLink, findEmailLink, linkEnded, useEmailLink } from './email-links.ts';
import { lockAccount } from './lock-account.ts';
import { passwordChangedMail, resetMail } from './mails.ts';
import { refuseWeakPassword } from './weak-passwords.ts';
import type { Session, Visitor } from './sessions.ts';
import type { SignInDeps } from './sign-in-deps.ts';
import { askingThrottles, countAttempt, hasRoom, passwordThrottles, tokenThrottles } from './throttle.ts';

export interface FoundPassword {
  readonly accountId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly suspended: boolean;
  /** Hash of the password; null if the account has none yet. */
  readonly hash: string | null;
}

export async function findPassword(
  db: Database,
  by: { readonly email: string } | { readonly accountId: string },
): Promise<FoundPassword | null> {
  const [column, value] = 'email' in by ? ['email', by.email] : ['id', by.accountId];
  const { rows } = await db.pool.query<FoundPassword>(
    `select a.id as "accountId", a.email, a.email_verified_at is not null as "emailVerified",
       a.suspended_at is not null as suspended, p.hash
     from accounts a left join passwords p on p.account_id = a.id where a.${column} = $1`,
    [value],
  );
  return rows[0] ?? null;
}

export async function storePassword(db: Queryable, accountId: string, hash: string): Promise<void> {
  await db.query(
    `insert into passwords (account_id, hash) values ($1, $2)
     on conflict (account_id) do update set hash = excluded.hash, changed_at = now()`,
    [accountId, hash],
  );
}

/**
 * Mails a reset link if the address has an account with fewer than the maximum number of valid
 * links. The answer is always the same. There is no other limit for one address, because strangers
 * could use it up.
 */
export async function requestReset(deps: SignInDeps, givenEmail: string, visitor: Visitor): Promise<void> {
  const email = normaliseEmail(givenEmail);
  if (!(await hasRoom(deps.db, askingThrottles(visitor.address)))) return;
  deps.later('password reset', async () => {
    const found = await findPassword(deps.db, { email });
    if (found === null || found.suspended) return;
    const { accountId } = found;
    const link = await createSpareLink(deps.db.pool, deps.config.publicUrl, {
      accountId,
      purpose: 'reset',
      email,
    });
    if (link !== null) await deps.mailer.send(resetMail(email, link));
  });
}

/**
 * Sets the password by a mailed verification or reset link. The holder of the link reads the
 * account's mail, so the address counts as verified. All sessions end, and this network becomes the
 * only known place.
 * @throws AppError INVALID_REQUEST if the link was used, has expired or is of another kind, or the
 * password
 *   is weak.
 */
export async function setPasswordByLink(
  deps: SignInDeps,
  purpose: 'verify' | 'reset',
  given: { readonly token: string; readonly newPassword: string; readonly name?: string },
  visitor: Visitor,
): Promise<void> {
  await countAttempt(deps.db, tokenThrottles(visitor.address));
  // The token is checked first, because a hash is expensive and a guessed token is almost always
  // wrong.
  const found = await findEmailLink(deps.db.pool, given.token, purpose);
  if (found === null) throw linkEnded();
  const { accountId, email } = found;
  refuseWeakPassword(given.newPassword, email);
  const hash = await deps.passwords.hash(given.newPassword, 'known');
  const name = given.name?.trim() ?? '';
  await inTransaction(deps.db.pool, async (client) => {
    const { rows } = await client.query<{ email: string }>(
      'select email from accounts where id = $1 and suspended_at is null for no key update',
      [accountId],
    );
    const sentTo = await useEmailLink(client, { accountId, purpose, token: given.token });
    // A link that was sent to an earlier address of the account is not valid.
    if (sentTo === null || rows[0]?.email !== sentTo) throw linkEnded();
    await storePassword(client, accountId, hash);
    if (name !== '') await client.query('update accounts set name = $2 where id = $1', [accountId, name]);
    await client.query('delete from sessions where account_id = $1', [accountId]);
    await client.query('delete from email_links where account_id = $1', [accountId]);
    await deps.places.startAnew(client, accountId, visitor);
    await markVerified(client, accountId, deps.config.startingCredits);
  });
  if (purpose === 'reset') mailPasswordChanged(deps, email);
}

/**
 * Sets a new password. Ends the other sessions and all links, and forgets all places except this
 * network.
 * @throws AppError INVALID_REQUEST if the current password is wrong or the new one is weak.
 */
export async function changePassword(
  deps: SignInDeps,
  session: Session,
  { currentPassword, newPassword }: { readonly currentPassword?: string; readonly newPassword: string },
  visitor: Visitor,
): Promise<void> {
  const { email } = await checkPassword(deps, session, currentPassword);
  refuseWeakPassword(newPassword, email);
  const hash = await deps.passwords.hash(newPassword, 'known');
  await inTransaction(deps.db.pool, async (client) => {
    await lockAccount(client, session.accountId);
    await storePassword(client, session.accountId, hash);
    await client.query('delete from sessions where account_id = $1 and id <> $2', [
      session.accountId,
      session.id,
    ]);
    await client.query('delete from email_links where account_id = $1', [session.accountId]);
    await deps.places.startAnew(client, session.accountId, visitor);
  });
  mailPasswordChanged(deps, email);
}

function mailPasswordChanged(deps: SignInDeps, email: string): void {
  deps.later('notice of a changed password', () =>
    deps.mailer.send(passwordChangedMail(email, deps.config.publicUrl)),
  );
}

/**
 * Checks the password, if the account has one, to be sure that the account's owner makes the
 * request.
 * @returns the password that was checked.
 */
export async function checkPassword(
  deps: SignInDeps,
  session: Session,
  password: string | undefined,
): Promise<FoundPassword> {
  const found = await findPassword(deps.db, { accountId: session.accountId });
  if (found === null) throw new AppError('UNAUTHENTICATED', 'Sign in first.');
  if (found.hash === null) return found;
  await countAttempt(deps.db, passwordThrottles(session.accountId));
  if (password === undefined || !(await deps.passwords.verify(found.hash, password, 'known'))) {
    throw new AppError('INVALID_REQUEST', 'The password is wrong.');
  }
  return found;
}

import { AppError } from '@guise/contract/errors.ts';
import { normaliseEmail } from '../accounts/email.ts';
import { giveUpUnclaimed } from '../accounts/prune-unverified.ts';
import { inTransaction } from '../db/transaction.ts';
import { createEmailLink, linkEnded, useEmailLink } from './email-links.ts';
import { changedMail, changeMail, existingAccountMail } from './mails.ts';
import { checkPassword, findPassword } from './passwords.ts';
import type { Session, Visitor } from './sessions.ts';
import type { SignInDeps } from './sign-in-deps.ts';
import { countAttempt, hasRoom, mailThrottles, tokenThrottles } from './throttle.ts';

/**
 * Mails a link to the new address. The account's address changes when the link is opened. The
 * answer does not show whether the new address has an account or got too many mails.
 */
export async function requestEmailChange(
  deps: SignInDeps,
  session: Session,
  given: { readonly newEmail: string; readonly password?: string },
  visitor: Visitor,
): Promise<void> {
  const email = normaliseEmail(given.newEmail);
  await checkPassword(deps, session, given.password);
  if (!(await hasRoom(deps.db, mailThrottles(visitor.address, email)))) return;
  deps.later('change of address', async () => {
    const taken = await findPassword(deps.db, { email });
    // An unverified account does not count, because a stranger may have created it. Whoever opens
    // the link owns the address.
    if (taken !== null && (taken.emailVerified || taken.suspended)) {
      if (taken.accountId !== session.accountId) {
        await deps.mailer.send(existingAccountMail(email, deps.config.publicUrl));
      }
      return;
    }
    const { accountId } = session;
    const link = await createEmailLink(deps.db.pool, deps.config.publicUrl, {
      accountId,
      purpose: 'change',
      email,
    });
    await deps.mailer.send(changeMail(email, link));
  });
}

/**
 * Changes an account's address by a mailed link. The link works only in a session of the account
 * that requested it. Otherwise one click by the owner of a mailbox could give their address to
 * another person's account.
 * @throws AppError INVALID_REQUEST if the link was used, has expired or belongs to another account;
 * nothing
 *   is changed then.
 */
export async function confirmEmailChange(
  deps: SignInDeps,
  session: Session,
  token: string,
  visitor: Visitor,
): Promise<void> {
  await countAttempt(deps.db, tokenThrottles(visitor.address));
  const { before, now } = await inTransaction(deps.db.pool, async (client) => {
    const { rows } = await client.query<{ email: string }>(
      'select email from accounts where id = $1 for no key update',
      [session.accountId],
    );
    const { accountId } = session;
    const newEmail = await useEmailLink(client, { accountId, purpose: 'change', token });
    if (rows[0] === undefined || newEmail === null) throw linkEnded();
    await giveUpUnclaimed(client, newEmail);
    const taken = await client.query('select 1 from accounts where email = $1', [newEmail]);
    // This person can read the mail of that address, so the answer reveals nothing new.
    if (taken.rowCount !== 0)
      throw new AppError('INVALID_REQUEST', 'Another account already uses this email address.');
    await client.query('update accounts set email = $2 where id = $1', [accountId, newEmail]);
    await client.query('delete from email_links where account_id = $1', [accountId]);
    return { before: rows[0].email, now: newEmail };
  });
  deps.later('notice of a changed address', () => deps.mailer.send(changedMail(before, now)));
}

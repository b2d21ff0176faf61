import { AppError } from '@guise/contract/errors.ts';
import { insertAccount } from '../accounts/create-account.ts';
import { normaliseEmail } from '../accounts/email.ts';
import { inTransaction } from '../db/transaction.ts';
import { addEmailLink, createEmailLink } from './email-links.ts';
import { findInvitation, markInvitationUsed } from './invitations.ts';
import { existingAccountMail, verificationMail } from './mails.ts';
import { findPassword } from './passwords.ts';
import type { Visitor } from './sessions.ts';
import type { SignInDeps } from './sign-in-deps.ts';
import { hasRoom, mailThrottles } from './throttle.ts';

export interface SignUp {
  readonly email: string;
  readonly invitation?: string;
}

/**
 * Creates an account with an unverified address and mails a link to it. The owner of a verified or
 * suspended account with this address gets another mail instead. Whoever opens the link chooses the
 * password and name, so nobody can choose them for another person's address. If too many mails were
 * requested, nothing happens and the answer is the same.
 * @throws AppError FORBIDDEN if sign-up is closed or the invitation is not valid; INVALID_REQUEST.
 */
export async function signUp(deps: SignInDeps, given: SignUp, visitor: Visitor): Promise<void> {
  const email = normaliseEmail(given.email);
  const { invitation } = given;
  if (deps.config.signUp === 'closed') throw new AppError('FORBIDDEN', 'This service takes no new accounts.');
  const mayMail = await hasRoom(deps.db, mailThrottles(visitor.address, email));
  const needsInvitation = deps.config.signUp === 'invite' || invitation !== undefined;
  if (needsInvitation && (await findInvitation(deps.db.pool, invitation ?? '', email)) === null) {
    throw new AppError(
      'FORBIDDEN',
      'A valid invitation is needed. An invitation link works once, and may be limited to one email address.',
    );
  }
  if (mayMail) deps.later('sign-up', () => makeAccount(deps, email, invitation));
}

async function makeAccount(deps: SignInDeps, email: string, token: string | undefined): Promise<void> {
  const { startingPlan, publicUrl } = deps.config;
  const mail = await inTransaction(deps.db.pool, async (client) => {
    const invitation = token === undefined ? null : await findInvitation(client, token, email);
    // Another person has used the invitation since the first check.
    if (token !== undefined && invitation === null) return null;
    await insertAccount(client, { email, plan: startingPlan, emailVerified: false, startingCredits: 0 });
    const { rows } = await client.query<{ id: string; verified: boolean; suspended: boolean }>(
      `select id, email_verified_at is not null as verified, suspended_at is not null as suspended
       from accounts where email = $1 for no key update`,
      [email],
    );
    const { id: accountId, verified, suspended } = rows[0]!;
    if (verified || suspended) return existingAccountMail(email, publicUrl);
    if (invitation !== null) {
      await markInvitationUsed(client, invitation.id, accountId);
      // Only the starting plan is replaced, and never a plan that an operator chose.
      await client.query('update accounts set plan = $2 where id = $1 and plan = $3', [
        accountId,
        invitation.plan,
        startingPlan,
      ]);
    }
    return verificationMail(
      email,
      await addEmailLink(client, publicUrl, { accountId, purpose: 'verify', email }),
    );
  });
  if (mail !== null) await deps.mailer.send(mail);
}

/**
 * Mails another verification link if the address has an unverified account and no limit is reached.
 * The answer is the same in all cases.
 */
export async function resendVerification(
  deps: SignInDeps,
  givenEmail: string,
  visitor: Visitor,
): Promise<void> {
  const email = normaliseEmail(givenEmail);
  if (!(await hasRoom(deps.db, mailThrottles(visitor.address, email)))) return;
  deps.later('verification mail', async () => {
    const found = await findPassword(deps.db, { email });
    if (found === null || found.emailVerified || found.suspended) return;
    const { accountId } = found;
    const link = await createEmailLink(deps.db.pool, deps.config.publicUrl, {
      accountId,
      purpose: 'verify',
      email,
    });
    await deps.mailer.send(verificationMail(email, link));
  });
}

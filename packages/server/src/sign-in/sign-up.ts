import { AppError } from '@guise/contract/errors.ts';
import type { Plan } from '@guise/contract/plans.ts';
import { createAccount } from '../accounts/create-account.ts';
import { normaliseEmail } from '../accounts/email.ts';
import { markVerified } from '../accounts/verify-email.ts';
import { inTransaction } from '../db/transaction.ts';
import { createEmailLink, useEmailLink } from './email-links.ts';
import { giveBackInvitation, type Invitation, useInvitation } from './invitations.ts';
import { changedMail, changeMail, existingAccountMail, verificationMail } from './mails.ts';
import { checkPassword, findPassword, storePassword } from './passwords.ts';
import type { Session, Visitor } from './sessions.ts';
import type { SignInDeps } from './sign-in.ts';
import { countAttempt, mailThrottles, tokenThrottles } from './throttle.ts';

export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly name?: string;
  readonly invitation?: string;
}

/**
 * Makes an account whose address is to be verified; where there is one already its owner is written instead.
 * @throws AppError FORBIDDEN where sign-up is closed or the invitation is not valid; INVALID_REQUEST; RATE_LIMITED.
 */
export async function signUp(deps: SignInDeps, given: SignUp, visitor: Visitor): Promise<void> {
  const email = normaliseEmail(given.email);
  const { signUp: mode, startingPlan } = deps.config;
  if (mode === 'closed') throw new AppError('FORBIDDEN', 'This service takes no new accounts.');
  await countAttempt(deps.db, mailThrottles(visitor.address, email));
  let invitation: Invitation | null = null;
  if (mode === 'invite' || given.invitation !== undefined) {
    invitation =
      given.invitation === undefined ? null : await useInvitation(deps.db, given.invitation, email);
    if (invitation === null) {
      throw new AppError(
        'FORBIDDEN',
        'A valid invitation is needed: the link of each works once, for the address it was made for.',
      );
    }
  }
  deps.later('sign-up', async () => {
    const made = await makeAccount(deps, email, given, invitation?.plan ?? startingPlan);
    if (!made && invitation !== null) await giveBackInvitation(deps.db, invitation.id);
  });
}

/** @returns false: the address has a verified account. */
async function makeAccount(deps: SignInDeps, email: string, given: SignUp, plan: Plan): Promise<boolean> {
  const hash = await deps.sessions.hashPassword(given.password);
  const isNew = await ensureAccount(deps, email, given.name ?? '', plan);
  const found = await findPassword(deps.db, { email });
  if (found === null) throw new Error('an account was deleted while it was made');
  if (found.emailVerified || found.suspended) {
    await deps.mailer.send(existingAccountMail(email, deps.config.publicUrl));
    return false;
  }
  // Of an address that nobody has verified the latest sign-up holds, and only its own link verifies it: whoever signed
  // up before with somebody else's address must not keep a password to that person's account.
  const { accountId } = found;
  const link = await inTransaction(deps.db.pool, async (client) => {
    await storePassword(client, accountId, hash);
    return createEmailLink(client, deps.config.publicUrl, { accountId, purpose: 'verify', email });
  });
  await deps.mailer.send(verificationMail(email, link));
  return isNew;
}

/** @returns false: there was one. */
async function ensureAccount(deps: SignInDeps, email: string, name: string, plan: Plan): Promise<boolean> {
  if ((await findPassword(deps.db, { email })) !== null) return false;
  try {
    await createAccount(deps.db, { email, name, plan, emailVerified: false, startingCredits: 0 });
    return true;
  } catch (error) {
    // Somebody pressed the button twice.
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Another verification mail, where there is something to verify; says nothing either way. */
export async function resendVerification(
  deps: SignInDeps,
  givenEmail: string,
  visitor: Visitor,
): Promise<void> {
  const email = normaliseEmail(givenEmail);
  await countAttempt(deps.db, mailThrottles(visitor.address, email));
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

/**
 * Follows the link of a verification mail, or of a change of address.
 * @throws AppError INVALID_REQUEST when it is used or ended.
 */
export async function followVerification(deps: SignInDeps, token: string, visitor: Visitor): Promise<void> {
  await countAttempt(deps.db, tokenThrottles(visitor.address));
  const changedFrom = await inTransaction(deps.db.pool, async (client) => {
    const link = await useEmailLink(client, token, ['verify', 'change']);
    if (link === null) throw linkEnded();
    const { rows } = await client.query<{ email: string }>(
      'select email from accounts where id = $1 for update',
      [link.accountId],
    );
    const before = rows[0]!.email;
    if (link.purpose === 'verify') {
      if (before !== link.email) throw linkEnded();
      await markVerified(client, link.accountId, deps.config.startingCredits);
      return null;
    }
    const taken = await client.query('select 1 from accounts where email = $1', [link.email]);
    // Whoever is here reads the mail of that address, so this tells them nothing new.
    if (taken.rowCount !== 0) throw new AppError('INVALID_REQUEST', 'That address has another account.');
    await client.query('update accounts set email = $2 where id = $1', [link.accountId, link.email]);
    await client.query('delete from email_links where account_id = $1', [link.accountId]);
    return { before, now: link.email };
  });
  if (changedFrom !== null) {
    deps.later('notice of a changed address', () =>
      deps.mailer.send(changedMail(changedFrom.before, changedFrom.now)),
    );
  }
}

/** Mails a link to the new address; the account changes when it is followed. Says nothing about that address. */
export async function requestEmailChange(
  deps: SignInDeps,
  session: Session,
  given: { readonly newEmail: string; readonly password?: string },
  visitor: Visitor,
): Promise<void> {
  const email = normaliseEmail(given.newEmail);
  await checkPassword(deps, session, given.password);
  await countAttempt(deps.db, mailThrottles(visitor.address, email));
  deps.later('change of address', async () => {
    const taken = await findPassword(deps.db, { email });
    if (taken !== null) {
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

function linkEnded(): AppError {
  return new AppError('INVALID_REQUEST', 'This link was used before, or its time is over.');
}

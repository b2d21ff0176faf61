import { AppError } from '@guise/contract/errors.ts';
import type { Plan } from '@guise/contract/plans.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { createInvitation, type Invitation, revokeInvitation } from '../sign-in/invitations.ts';
import { type Operator, writeAudit } from './audit.ts';

/**
 * Creates an invitation. @returns the invitation and its link, which can only be shown now.
 * @throws AppError INVALID_REQUEST if `email` is not an email address.
 */
export async function invite(
  db: Database,
  operator: Operator,
  publicUrl: string,
  wanted: { readonly email: string | null; readonly plan: Plan },
): Promise<{ readonly invitation: Invitation; readonly link: string }> {
  return inTransaction(db.pool, async (client) => {
    const made = await createInvitation(client, publicUrl, wanted);
    const { id, email, plan } = made.invitation;
    await writeAudit(client, operator, null, { action: 'invitation.create', details: { id, email, plan } });
    return made;
  });
}

/** Revokes an invitation. @throws AppError NOT_FOUND if there is none, or it was used. */
export async function withdrawInvitation(db: Database, operator: Operator, id: string): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const revoked = await revokeInvitation(client, id);
    if (revoked === null) throw new AppError('NOT_FOUND', 'There is no such unused invitation.');
    const details = { id, email: revoked.email };
    await writeAudit(client, operator, null, { action: 'invitation.revoke', details });
  });
}

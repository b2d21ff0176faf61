import type { Plan } from '@guise/contract/plans.ts';
import { normaliseEmail } from '../accounts/email.ts';
import type { Database, Queryable } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import { hashToken, newToken } from './email-links.ts';

export interface Invitation {
  readonly id: string;
  /** Address that may use it; null if anybody with the link may. */
  readonly email: string | null;
  readonly plan: Plan;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** Columns of `invitations` that make an `Invitation`. */
const INVITATION_COLUMNS = `id, email, plan, created_at as "createdAt", expires_at as "expiresAt",
  used_at as "usedAt"`;

/** Time for which an invitation is valid. */
const INVITATION_LIFETIME_SECONDS = 14 * 24 * 3600;

/**
 * Creates an invitation. @returns it with its link, which can only be shown now.
 * @throws AppError INVALID_REQUEST if `email` is not an email address.
 */
export async function createInvitation(
  db: Queryable,
  publicUrl: string,
  { email, plan }: { readonly email: string | null; readonly plan: Plan },
): Promise<{ readonly invitation: Invitation; readonly link: string }> {
  const { token, hash } = newToken();
  const { rows } = await db.query<Invitation>(
    `insert into invitations (hash, email, plan, expires_at)
     values ($1, $2, $3, now() + $4::float8 * interval '1 s') returning ${INVITATION_COLUMNS}`,
    [hash, email === null ? null : normaliseEmail(email), plan, INVITATION_LIFETIME_SECONDS],
  );
  return { invitation: rows[0]!, link: `${publicUrl}/sign-up#invitation=${token}` };
}

/**
 * Returns a page of invitations, newest first. @param after id of the last one of the previous
 * page.
 */
export async function listInvitations(
  db: Database,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<Invitation[]> {
  const { rows } = await db.pool.query<Invitation>(
    `select ${INVITATION_COLUMNS} from invitations
     where $1::uuid is null or (created_at, id) < (select created_at, id from invitations where id = $1)
     order by created_at desc, id desc limit $2`,
    [after, limit],
  );
  return rows;
}

/** Revokes an invitation. @returns the invitation; null if there is none, or it was used. */
export async function revokeInvitation(db: Queryable, id: string): Promise<Invitation | null> {
  const { rows } = await db.query<Invitation>(
    `delete from invitations where id = $1 and used_at is null returning ${INVITATION_COLUMNS}`,
    [id],
  );
  return rows[0] ?? null;
}

/**
 * Finds the invitation with which this address may sign up now, and locks it in a transaction. The
 * address that used it may use it again until the address is verified, because mails can be lost.
 * Returns null if it is unknown, used by or meant for another address, or expired.
 */
export async function findInvitation(
  db: Queryable,
  token: string,
  email: string,
): Promise<Invitation | null> {
  const hash = hashToken(token);
  if (hash === null) return null;
  const { rows } = await db.query<Invitation>(
    `select ${INVITATION_COLUMNS} from invitations i
     where hash = $1 and expires_at > now() and (email is null or email = $2)
       and (used_at is null or exists (
         select 1 from accounts a where a.id = i.account_id and a.email = $2 and a.email_verified_at is null))
     for update of i`,
    [hash, email],
  );
  return rows[0] ?? null;
}

/** Marks an invitation as used, in the transaction that creates the account. */
export async function markInvitationUsed(client: Transaction, id: string, accountId: string): Promise<void> {
  await client.query('update invitations set used_at = now(), account_id = $2 where id = $1', [
    id,
    accountId,
  ]);
}

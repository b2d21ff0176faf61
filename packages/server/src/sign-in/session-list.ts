import type { Database } from '../db/database.ts';
import type { Session } from './sessions.ts';

export interface ListedSession {
  readonly id: string;
  readonly createdAt: Date;
  /** Time of the last extension, exact to the day. */
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** Lists the account's sessions, newest first. */
export async function listSessions(db: Database, accountId: string): Promise<ListedSession[]> {
  const { rows } = await db.pool.query<ListedSession>(
    `select id, created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt",
       ip_address as "ipAddress", user_agent as "userAgent"
     from sessions where account_id = $1 and expires_at > now() order by created_at desc, id limit 100`,
    [accountId],
  );
  return rows;
}

/** Ends a session and its access tokens. @returns whether the account had such a session. */
export async function endSession(db: Database, accountId: string, sessionId: string): Promise<boolean> {
  const { rowCount } = await db.pool.query('delete from sessions where id = $1 and account_id = $2', [
    sessionId,
    accountId,
  ]);
  return rowCount === 1;
}

export async function endOtherSessions(db: Database, session: Session): Promise<void> {
  await db.pool.query('delete from sessions where account_id = $1 and id <> $2', [
    session.accountId,
    session.id,
  ]);
}

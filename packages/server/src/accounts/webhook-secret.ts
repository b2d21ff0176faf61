import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../db/database.ts';

/** SQL for the time in which the previous secret signs in addition to the current one. */
const OVERLAP_SQL = `interval '24 hours'`;

/** Random bytes of a secret. */
const SECRET_BYTES = 32;

/** Makes a secret in the form of Standard Webhooks: `whsec_` and the base64 of the key. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Reads the secret that signs the account's webhooks: `whsec_...`. */
export async function readWebhookSecret(db: Database, accountId: string): Promise<string> {
  const { rows } = await db.pool.query<{ secret: string }>(
    'select webhook_secret as secret from accounts where id = $1',
    [accountId],
  );
  if (rows[0] === undefined) throw new Error(`account ${accountId} does not exist`);
  return rows[0].secret;
}

export interface RotatedSecret {
  readonly secret: string;
  /** Time until which events are also signed with the previous secret. */
  readonly previousUntil: Date;
}

/**
 * Creates a new secret. The current one also signs for 24 h. There are at most two secrets, so that
 * two rotations make a leaked secret invalid at once.
 */
export async function rotateWebhookSecret(db: Queryable, accountId: string): Promise<RotatedSecret> {
  const { rows } = await db.query<{ secret: string; until: Date }>(
    `update accounts set
       webhook_secret = $2,
       previous_webhook_secret = webhook_secret,
       previous_webhook_secret_until = now() + ${OVERLAP_SQL}
     where id = $1
     returning webhook_secret as secret, previous_webhook_secret_until as until`,
    [accountId, newWebhookSecret()],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`account ${accountId} does not exist`);
  return { secret: row.secret, previousUntil: row.until };
}

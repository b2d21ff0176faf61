import type { Database } from '../db/database.ts';

/** What the account's webhooks are signed with, as its owner is shown it: `whsec_...`. */
export async function readWebhookSecret(db: Database, accountId: string): Promise<string> {
  const row = await db.kysely
    .selectFrom('accounts')
    .select('webhook_secret')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.webhook_secret;
}

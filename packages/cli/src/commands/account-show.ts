import { listApiKeys } from '@guise/server/accounts/api-keys.ts';
import { presentApiKey } from '@guise/server/present/account/present-api-key.ts';
import { readWebhookSecret } from '@guise/server/accounts/webhook-secret.ts';
import { printResult } from '../console/print.ts';
import { requireAccount, withDatabase } from '../setup/with-database.ts';

export async function showAccountCommand(options: {
  readonly email: string;
  readonly json?: true;
}): Promise<void> {
  const shown = await withDatabase(async (db) => {
    const account = await requireAccount(db, options.email);
    const keys = await listApiKeys(db, account.id);
    return {
      accountId: account.id,
      email: account.email,
      emailVerified: account.emailVerified,
      plan: account.plan,
      credits: { available: account.creditsAvailable, held: account.creditsHeld },
      webhookSecret: await readWebhookSecret(db, account.id),
      keys: keys.map(presentApiKey),
    };
  });
  printResult(options, shown, [
    `${shown.email}${shown.emailVerified ? '' : ' (unverified)'}: account ${shown.accountId}, ${shown.plan} plan`,
    `Credits: ${shown.credits.available} available, ${shown.credits.held} held`,
    `Webhook secret: ${shown.webhookSecret}`,
    ...shown.keys.map(
      (key) =>
        `Key ${key.id}: ...${key.lastFour} "${key.name}", ` +
        (key.revokedAt === null ? `last used ${key.lastUsedAt ?? 'never'}` : `revoked ${key.revokedAt}`),
    ),
  ]);
}

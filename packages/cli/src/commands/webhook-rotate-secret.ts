import { rotateWebhookSecret } from '@guise/server/accounts/webhook-secret.ts';
import { printResult } from '../console/print.ts';
import { requireAccount, withDatabase } from '../setup/with-database.ts';

export async function rotateWebhookSecretCommand(options: {
  readonly email: string;
  readonly json?: true;
}): Promise<void> {
  const rotated = await withDatabase(async (db) => {
    const account = await requireAccount(db, options.email);
    const { secret, previousUntil } = await rotateWebhookSecret(db, account.id);
    return {
      accountId: account.id,
      email: account.email,
      webhookSecret: secret,
      previousUntil: previousUntil.toISOString(),
    };
  });
  printResult(options, rotated, [
    `New webhook secret of ${rotated.email}: ${rotated.webhookSecret}`,
    `Events are also signed with the old secret until ${rotated.previousUntil}.`,
  ]);
}

import { rotateWebhookSecret } from '@guise/server/accounts/webhook-secret.ts';
import { printResult } from '../console/print.ts';
import { changeAccount } from '../setup/with-database.ts';

export async function rotateWebhookSecretCommand(options: {
  readonly email: string;
  readonly json?: true;
}): Promise<void> {
  const rotated = await changeAccount(options.email, async (account, client, log) => {
    const { secret, previousUntil } = await rotateWebhookSecret(client, account.id);
    await log('webhook-secret.rotate', { previousUntil });
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

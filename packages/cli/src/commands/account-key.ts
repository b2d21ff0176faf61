import { createApiKey, revokeApiKey } from '@guise/server/accounts/api-keys.ts';
import { printResult } from '../console/print.ts';
import { changeAccount } from '../setup/with-database.ts';

/** Form of an API key's id, a UUID in lower case. The key itself is never an argument. */
const KEY_ID_FORM = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function accountKeyCommand(options: {
  readonly email: string;
  readonly name: string;
  readonly revoke?: string;
  readonly json?: true;
}): Promise<void> {
  const { revoke } = options;
  if (revoke !== undefined) {
    if (!KEY_ID_FORM.test(revoke))
      throw new Error('--revoke needs the id of a key; `guise account show` lists the ids.');
    const revoked = await changeAccount(options.email, async (account, client, log) => {
      if (!(await revokeApiKey(client, account.id, revoke))) {
        throw new Error(`${account.email} has no key ${revoke} that could be revoked.`);
      }
      await log('key.revoke', { keyId: revoke });
      return { accountId: account.id, email: account.email, revoked: revoke };
    });
    printResult(options, revoked, [`Key ${revoke} of ${revoked.email} is revoked.`]);
    return;
  }
  const made = await changeAccount(options.email, async (account, client, log) => {
    const key = await createApiKey(client, account.id, options.name);
    await log('key.create', { keyId: key.id, name: key.name });
    return { accountId: account.id, email: account.email, keyId: key.id, name: key.name, apiKey: key.secret };
  });
  printResult(options, made, [`API key for ${made.email}, shown this once: ${made.apiKey}`]);
}

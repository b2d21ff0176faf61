import { loadConfigBesideService } from '@guise/server/config/served-url.ts';
import { addEmailLink } from '@guise/server/sign-in/email-links.ts';
import { printResult } from '../console/print.ts';
import { changeAccount } from '../setup/with-database.ts';

export async function accountLinkCommand(options: {
  readonly email: string;
  readonly json?: true;
}): Promise<void> {
  const { publicUrl } = await loadConfigBesideService();
  const made = await changeAccount(options.email, async (account, client, log) => {
    if (account.suspended) throw new Error(`The account of ${account.email} is suspended.`);
    if (!account.emailVerified) {
      throw new Error(`${account.email} is not verified: do that on the operator's page first.`);
    }
    const link = await addEmailLink(client, publicUrl, {
      accountId: account.id,
      purpose: 'sign-in',
      email: account.email,
    });
    await log('sign-in-link.create', {});
    return { accountId: account.id, email: account.email, link };
  });
  printResult(options, made, [`Signs in as ${made.email}, once, within an hour:`, made.link]);
}

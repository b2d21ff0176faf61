import { getIpAllowlist, setIpAllowlist } from '@guise/server/accounts/ip-allowlist.ts';
import { printResult } from '../console/print.ts';
import { changeAccount, requireAccount, withDatabase } from '../setup/with-database.ts';

export async function accountAllowlistCommand(options: {
  readonly email: string;
  /** Address ranges, separated by commas. */
  readonly set?: string;
  readonly clear?: true;
  readonly json?: true;
}): Promise<void> {
  if (options.set !== undefined && options.clear) throw new Error('Use either --set or --clear.');
  const wanted = options.clear ? [] : options.set?.split(',').map((each) => each.trim());
  const { account, allowlist } = await (wanted === undefined
    ? withDatabase(async (db) => {
        const account = await requireAccount(db, options.email);
        return { account, allowlist: await getIpAllowlist(db, account.id) };
      })
    : changeAccount(options.email, async (account, client, log) => {
        const allowlist = (await setIpAllowlist(client, account.id, wanted)) ?? [];
        await log('allowlist.set', { ranges: allowlist });
        return { account, allowlist };
      }));
  const shown = { accountId: account.id, email: account.email, plan: account.plan, allowlist };
  const list = shown.allowlist.join(', ');
  const idle = shown.plan === 'enterprise' ? '' : ` once its plan is enterprise (it is ${shown.plan})`;
  printResult(options, shown, [
    shown.allowlist.length === 0
      ? `${shown.email} may be used from every address.`
      : `${shown.email} may be used from these addresses only${idle}: ${list}`,
  ]);
}

import { loadConfig } from '@guise/server/config/config.ts';
import { listKeys } from '@guise/server/keys/list-keys.ts';
import { printResult } from '../console/print.ts';
import { withDatabase } from '../setup/with-database.ts';

export async function listKeysCommand(options: { readonly json?: true }): Promise<void> {
  const keys = await withDatabase((db) => listKeys(loadConfig(), db.pool));
  printResult(options, keys, [
    ...keys.map(({ name, restsIn, madeAt, ageDays, formerUntil, rotatedBy }) => {
      const since = madeAt === null ? '' : `, made ${madeAt.toISOString()}, ${ageDays} days ago`;
      const former = formerUntil === null ? '' : `, former ones good until ${formerUntil.toISOString()}`;
      return `${name}: in the ${restsIn}${since}${former}. To rotate: ${rotatedBy}`;
    }),
    "Accounts' own: guise account key, guise webhook rotate-secret",
  ]);
}

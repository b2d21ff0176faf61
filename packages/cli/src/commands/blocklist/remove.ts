import { COMMAND_LINE } from '@guise/server/operator/audit.ts';
import { unblockPerson } from '@guise/server/operator/change-blocklist.ts';
import { printResult } from '../../console/print.ts';
import { withDatabase } from '../../setup/with-database.ts';

/** Removes a person from the blocklist, with the embedding. */
export async function removeBlockedCommand(id: string, options: { readonly json?: true }): Promise<void> {
  const removed = await withDatabase((db) => unblockPerson(db, COMMAND_LINE, id));
  printResult(options, removed, [`${removed.name} is no longer on the blocklist.`]);
}

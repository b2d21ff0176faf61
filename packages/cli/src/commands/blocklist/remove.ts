import { removeBlocked } from '@guise/server/blocklist/blocklist.ts';
import { inTransaction } from '@guise/server/db/transaction.ts';
import { COMMAND_LINE, writeAudit } from '@guise/server/operator/audit.ts';
import { printResult } from '../../console/print.ts';
import { withDatabase } from '../../setup/with-database.ts';

/** Removes a person from the blocklist, with the embedding. */
export async function removeBlockedCommand(id: string, options: { readonly json?: true }): Promise<void> {
  const removed = await withDatabase((db) =>
    inTransaction(db.pool, async (client) => {
      const person = await removeBlocked(client, id);
      if (person === null) throw new Error(`Nobody on the blocklist has the id ${id}.`);
      // The name leaves guise with the entry.
      const details = { id };
      await writeAudit(client, COMMAND_LINE, null, { action: 'blocklist.remove', details });
      return person;
    }),
  );
  printResult(options, removed, [`${removed.name} is no longer on the blocklist.`]);
}

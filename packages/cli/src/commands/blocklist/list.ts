import { listBlocked } from '@guise/server/blocklist/blocklist.ts';
import { printResult } from '../../console/print.ts';
import { withDatabase } from '../../setup/with-database.ts';

/** Lists the people of the blocklist, newest first. */
export async function listBlockedCommand(options: { readonly json?: true }): Promise<void> {
  const people = await withDatabase((db) => listBlocked(db.pool));
  printResult(
    options,
    people,
    people.length === 0
      ? ['The blocklist is empty.']
      : people.map(
          ({ id, name, why, createdAt }) => `${id}  ${name}, since ${createdAt.toISOString()}: ${why}`,
        ),
  );
}

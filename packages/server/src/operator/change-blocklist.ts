import { AppError } from '@guise/contract/errors.ts';
import { addBlocked, type BlockedPerson, removeBlocked } from '../blocklist/blocklist.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { type Operator, writeAudit } from './audit.ts';

/** Adds a person to the blocklist. @param embedding of the face, from `sealEmbedding` */
export async function blockPerson(
  db: Database,
  operator: Operator,
  person: Pick<BlockedPerson, 'name' | 'why'>,
  embedding: Buffer,
): Promise<BlockedPerson> {
  return inTransaction(db.pool, async (client) => {
    const added = await addBlocked(client, person, embedding);
    await writeAudit(client, operator, null, { action: 'blocklist.add', details: { id: added.id } });
    return added;
  });
}

/** Removes a person from the blocklist, with the embedding. @throws AppError NOT_FOUND */
export async function unblockPerson(db: Database, operator: Operator, id: string): Promise<BlockedPerson> {
  return inTransaction(db.pool, async (client) => {
    const person = await removeBlocked(client, id);
    if (person === null) throw new AppError('NOT_FOUND', `Nobody on the blocklist has the id ${id}.`);
    // The name leaves guise with the entry.
    await writeAudit(client, operator, null, { action: 'blocklist.remove', details: { id } });
    return person;
  });
}

import { randomBytes, randomUUID } from 'node:crypto';
import { AppError } from '@guise/contract/errors.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { claimKey, type IdempotentRequest } from '../tasks/idempotency.ts';
import type { StoredInput } from '../tasks/task.ts';
import { findFace, type SavedFace } from './saved-face.ts';

/** Random bytes of a token that withdraws a consent. */
const TOKEN_BYTES = 24;

export interface NewFace extends Pick<SavedFace, 'accountId' | 'name' | 'consent' | 'thumbnail'> {
  readonly photos: readonly StoredInput[];
}

export interface CreatedFace {
  readonly face: SavedFace;
  /** False if the same request has saved it before. The photos of this one are not needed. */
  readonly isNew: boolean;
}

/**
 * Saves a face, and keeps its photos until it is deleted or withdrawn.
 * @throws AppError INVALID_REQUEST if the account has too many faces; IDEMPOTENCY_CONFLICT;
 * NOT_FOUND if the face of the same request was deleted
 */
export async function createFace(
  db: Database,
  { accountId, name, consent, photos, thumbnail }: NewFace,
  idempotency: IdempotentRequest | null,
): Promise<CreatedFace> {
  const id = randomUUID();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return inTransaction(db.pool, async (client) => {
    if (idempotency !== null) {
      // Only the id is remembered, so that nothing of the person outlives the face.
      const earlier = await claimKey(client, accountId, idempotency, { status: 201, body: { id } });
      if (earlier !== null) {
        const face = await findFace(client, accountId, (earlier.body as { id: string }).id);
        if (face === null) throw new AppError('NOT_FOUND', 'The face of this request was deleted.');
        return { face, isNew: false };
      }
    }
    // The lock makes two faces at once count each other.
    await client.query('select from accounts where id = $1 for update', [accountId]);
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from faces where account_id = $1',
      [accountId],
    );
    const limit = AI_TASKS_LIMITS.savedFaces;
    if (rows[0]!.count >= limit) {
      throw new AppError('INVALID_REQUEST', `The account has ${limit} saved faces: delete one first.`, {
        limit,
      });
    }
    await client.query(
      `with kept as (update objects set delete_after = 'infinity' where key = any($6))
       insert into faces (id, account_id, name, consent, photos, withdrawal_token, thumbnail)
       values ($1, $2, $3, $4, $5, $7, $8)`,
      [id, accountId, name, consent, JSON.stringify(photos), keysOf(photos), token, thumbnail],
    );
    return { face: (await findFace(client, accountId, id))!, isNew: true };
  });
}

function keysOf(photos: readonly StoredInput[]): string[] {
  return photos.map(({ objectKey }) => objectKey);
}

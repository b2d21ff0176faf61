import { AppError, fieldError, invalidField } from '@guise/contract/errors.ts';
import type { Database, Queryable } from '../db/database.ts';
import type { StoredInput } from '../tasks/task.ts';

/** A face that an account keeps, to use it in any workflow. */
export interface SavedFace {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Who agreed to the use of the face, and how. */
  readonly consent: string;
  /** Photos of the person; none once the consent was withdrawn. */
  readonly photos: readonly StoredInput[];
  /** A small WebP of the face; null if there is none. */
  readonly thumbnail: Buffer | null;
  /** Whoever has this may withdraw the consent. */
  readonly withdrawalToken: string;
  readonly createdAt: Date;
  /** Time at which the consent was withdrawn; null if it was not. */
  readonly withdrawnAt: Date | null;
}

/** Columns of a `SavedFace`. */
const COLUMNS = `id, account_id as "accountId", name, consent, photos, thumbnail, withdrawal_token as "withdrawalToken",
  created_at as "createdAt", withdrawn_at as "withdrawnAt"`;

/** Lists the faces of an account, newest first. */
export async function listFaces(db: Database, accountId: string): Promise<SavedFace[]> {
  const { rows } = await db.pool.query<SavedFace>(
    `select ${COLUMNS} from faces where account_id = $1 order by created_at desc, id`,
    [accountId],
  );
  return rows;
}

/** Returns a face of an account; null if it has none with this id. */
export async function findFace(db: Queryable, accountId: string, id: string): Promise<SavedFace | null> {
  const { rows } = await db.query<SavedFace>(
    `select ${COLUMNS} from faces where account_id = $2 and id::text = lower($1)`,
    [id, accountId],
  );
  return rows[0] ?? null;
}

/** Returns the face whose consent a token withdraws; null if there is none. */
export async function findFaceByToken(db: Queryable, token: string): Promise<SavedFace | null> {
  const { rows } = await db.query<SavedFace>(`select ${COLUMNS} from faces where withdrawal_token = $1`, [
    token,
  ]);
  return rows[0] ?? null;
}

/**
 * Returns a face that a request wants to use.
 * @param field of the request
 * @throws AppError INVALID_REQUEST, FACE_WITHDRAWN
 */
export async function requireFace(
  db: Queryable,
  accountId: string,
  field: string,
  id: string,
): Promise<SavedFace> {
  const face = await findFace(db, accountId, id);
  if (face === null) throw unknownFace(field);
  if (face.withdrawnAt !== null) throw withdrawnFace(field);
  return face;
}

/** Lists the saved faces that a task uses, for a task that repeats it. */
export async function facesOfTask(db: Queryable, taskId: string): Promise<{ field: string; id: string }[]> {
  const { rows } = await db.query<{ id: string }>('select face_id as id from task_faces where task_id = $1', [
    taskId,
  ]);
  return rows.map(({ id }) => ({ field: 'sourceFaceId', id }));
}

/** Makes the error for a face that an account does not have. */
export function unknownFace(field: string): AppError {
  return invalidField(field, 'must be the id of a saved face of this account.');
}

function withdrawnFace(field: string): AppError {
  return fieldError('FACE_WITHDRAWN', field, 'is a face whose consent was withdrawn.');
}

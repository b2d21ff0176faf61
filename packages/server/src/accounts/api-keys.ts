import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@guise/contract/errors.ts';
import type { Database } from '../db/database.ts';

const KEY_PREFIX = 'gsk_';
const KEY_PATTERN = /^gsk_[A-Za-z0-9_-]{43}$/;
const MAX_NAME_LENGTH = 100;

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  /** The key's last four characters, to tell keys apart. */
  readonly lastFour: string;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface CreatedApiKey extends ApiKey {
  /** The key itself: here and never again. */
  readonly secret: string;
}

/**
 * SHA-256 of a key, which is all that is stored and looked up. A plain hash is enough: a key has 256 random bits.
 * @returns null for text that cannot be a key, so that it costs no query.
 */
export function hashApiKey(secret: string): Buffer | null {
  return KEY_PATTERN.test(secret) ? createHash('sha256').update(secret).digest() : null;
}

/** @throws AppError INVALID_REQUEST for a name that is empty or too long. */
export async function createApiKey(db: Database, accountId: string, name: string): Promise<CreatedApiKey> {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH) {
    throw new AppError('INVALID_REQUEST', `name must have 1 to ${MAX_NAME_LENGTH} characters.`, {
      limit: MAX_NAME_LENGTH,
    });
  }
  const secret = KEY_PREFIX + randomBytes(32).toString('base64url');
  const lastFour = secret.slice(-4);
  const row = await db.kysely
    .insertInto('api_keys')
    .values({
      account_id: accountId,
      name: trimmed,
      hash: createHash('sha256').update(secret).digest(),
      last_four: lastFour,
      last_used_at: null,
      revoked_at: null,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: trimmed,
    lastFour,
    createdAt: row.created_at,
    lastUsedAt: null,
    revokedAt: null,
    secret,
  };
}

/** All of the account's keys, revoked ones too, oldest first. */
export async function listApiKeys(db: Database, accountId: string): Promise<ApiKey[]> {
  const rows = await db.kysely
    .selectFrom('api_keys')
    .select(['id', 'name', 'last_four', 'created_at', 'last_used_at', 'revoked_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    lastFour: row.last_four,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }));
}

/** Takes effect with the next request. @returns false: no such key of this account, or revoked before. */
export async function revokeApiKey(db: Database, accountId: string, keyId: string): Promise<boolean> {
  const result = await db.kysely
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', keyId)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

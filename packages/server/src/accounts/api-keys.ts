import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@guise/contract/errors.ts';
import type { Database, Queryable } from '../db/database.ts';

/** Prefix of every API key, by which people and scanners recognise it. */
const KEY_PREFIX = 'gsk_';

/** Prefix of every access token of the dashboard. */
const TOKEN_PREFIX = 'gst_';

/** Form of keys and tokens: prefix and 32 random bytes in base64url. */
const KEY_PATTERN = /^gs[kt]_[A-Za-z0-9_-]{43}$/;

/** Lifetime of an access token. */
const ACCESS_TOKEN_LIFETIME_MS = 15 * 60_000;

/** Longest name of a key, in characters. */
const MAX_NAME_LENGTH = 100;

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  /** The key's last four characters, to tell keys apart. */
  readonly lastFour: string;
  readonly createdAt: Date;
  /** Exact to the minute. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** SQL for the columns of an `ApiKey`. */
const API_KEY_SQL = `id, name, last_four as "lastFour", created_at as "createdAt",
  last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

export interface CreatedApiKey extends ApiKey {
  /** The key itself, which can only be shown now. */
  readonly secret: string;
}

/**
 * Returns the SHA-256 of a key or access token. Only this hash is stored. A fast hash is enough,
 * because a key has 256 random bits.
 * @returns null for a text that cannot be a key, so that no query is needed.
 */
export function hashApiKey(secret: string): Buffer | null {
  return KEY_PATTERN.test(secret) ? createHash('sha256').update(secret).digest() : null;
}

/** Creates a key. @throws AppError INVALID_REQUEST for a name that is empty or too long. */
export async function createApiKey(db: Queryable, accountId: string, name: string): Promise<CreatedApiKey> {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH) {
    throw new AppError('INVALID_REQUEST', `name must have 1 to ${MAX_NAME_LENGTH} characters.`, {
      limit: MAX_NAME_LENGTH,
    });
  }
  const secret = newSecret(KEY_PREFIX);
  const { rows } = await db.query<ApiKey>(
    `insert into api_keys (account_id, name, hash, last_four) values ($1, $2, $3, $4) returning ${API_KEY_SQL}`,
    [accountId, trimmed, sha256(secret), secret.slice(-4)],
  );
  return { ...rows[0]!, secret };
}

/** Lists all keys of an account, including revoked ones, oldest first. */
export async function listApiKeys(db: Database, accountId: string): Promise<ApiKey[]> {
  const { rows } = await db.pool.query<ApiKey>(
    `select ${API_KEY_SQL} from api_keys where account_id = $1 and session_id is null order by created_at, id`,
    [accountId],
  );
  return rows;
}

/**
 * Revokes a key from the next request on. @returns false if the account has no such key, or the key
 * is already revoked.
 */
export async function revokeApiKey(db: Queryable, accountId: string, keyId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update api_keys set revoked_at = now()
     where id = $1 and account_id = $2 and session_id is null and revoked_at is null`,
    [keyId, accountId],
  );
  return rowCount === 1;
}

/**
 * Revokes a key and creates its successor in one statement.
 * @returns null if there is no such key.
 */
export async function rotateApiKey(
  db: Database,
  accountId: string,
  keyId: string,
): Promise<CreatedApiKey | null> {
  const secret = newSecret(KEY_PREFIX);
  const { rows } = await db.pool.query<ApiKey>(
    `with old as (
       update api_keys set revoked_at = now()
       where id = $1 and account_id = $2 and session_id is null and revoked_at is null
       returning name
     )
     insert into api_keys (account_id, name, hash, last_four) select $2, name, $3, $4 from old
     returning ${API_KEY_SQL}`,
    [keyId, accountId, sha256(secret), secret.slice(-4)],
  );
  return rows[0] === undefined ? null : { ...rows[0], secret };
}

/**
 * Creates the token with which the browser of a signed-in person calls the APIs. It ends after its
 * lifetime, or with its session.
 */
export async function createAccessToken(
  db: Database,
  session: { readonly id: string; readonly accountId: string },
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = newSecret(TOKEN_PREFIX);
  const { rows } = await db.pool.query<{ expires_at: Date }>(
    `with ended as (delete from api_keys where session_id = $1 and expires_at <= now())
     insert into api_keys (account_id, session_id, name, hash, last_four, expires_at)
     select $2, id, 'dashboard', $3, $4, least(expires_at, now() + $5::float8 * interval '1 ms')
     from sessions where id = $1 and account_id = $2
     returning expires_at`,
    [session.id, session.accountId, sha256(token), token.slice(-4), ACCESS_TOKEN_LIFETIME_MS],
  );
  if (rows[0] === undefined) throw new AppError('UNAUTHENTICATED', 'The session has ended.');
  return { token, expiresAt: rows[0].expires_at };
}

function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

function sha256(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

import { randomBytes } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import { decryptWithSecrets, encrypt, type KeySecrets } from '../db/encryption.ts';

/** Purpose of the operator's secret, which also encrypts other keys. */
const PURPOSE = 'guise embedding key';
/** Random bytes of the key. */
const KEY_BYTES = 32;

/**
 * Returns the key that encrypts embeddings; the first call makes it. If it is stored in plain text
 * and there is a secret, encrypts it. Call it in parent processes only.
 * @throws ConfigError if the secret is missing, or neither secret is right
 */
export async function openEmbeddingKey(db: Queryable, secrets: KeySecrets): Promise<string> {
  const { encryptionKey } = secrets;
  await db.query('insert into embedding_key (key, is_encrypted) values ($1, false) on conflict do nothing', [
    Buffer.from(randomBytes(KEY_BYTES).toString('base64')),
  ]);
  const key = (await readKey(db, secrets))!;
  if (encryptionKey !== null) await encryptWith(db, key, encryptionKey, 'not is_encrypted');
  return key;
}

/**
 * Encrypts the key with `GUISE_ENCRYPTION_KEY`, if there is a key.
 * @throws ConfigError if no secret decrypts it
 */
export async function rotateEmbeddingKey(db: Queryable, secrets: KeySecrets): Promise<void> {
  const key = await readKey(db, secrets);
  if (key !== null) await encryptWith(db, key, secrets.encryptionKey!, 'true');
}

async function encryptWith(db: Queryable, key: string, secret: string, condition: string): Promise<void> {
  await db.query(`update embedding_key set key = $1, is_encrypted = true where ${condition}`, [
    encrypt(key, secret, PURPOSE),
  ]);
}

/** Reads the key; null if there is none. */
async function readKey(db: Queryable, secrets: KeySecrets): Promise<string | null> {
  const { rows } = await db.query<{ key: Buffer; isEncrypted: boolean }>(
    'select key, is_encrypted as "isEncrypted" from embedding_key',
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (!row.isEncrypted) return row.key.toString();
  return decryptWithSecrets(row.key, secrets, PURPOSE, 'blocklist');
}

import type pg from 'pg';
import { ConfigError, type Config } from '../config/config.ts';
import { inTransaction } from '../db/transaction.ts';
import { rotateEmbeddingKey } from '../blocklist/embedding-key.ts';
import { encryptSigner, findSigner, lockSigners } from './signing-store.ts';

/**
 * Encrypts the signing key and the key of the blocklist in the database with
 * `GUISE_ENCRYPTION_KEY`. They may be encrypted with this secret or with
 * `GUISE_PREVIOUS_ENCRYPTION_KEY` before.
 * @returns whether there is a signing key.
 * @throws ConfigError if the secret is missing, or neither secret decrypts a key
 */
export async function rotateEncryption(
  config: Pick<Config, 'encryptionKey' | 'previousEncryptionKey'>,
  pool: pg.Pool,
): Promise<boolean> {
  const { encryptionKey } = config;
  if (encryptionKey === null) {
    throw new ConfigError('GUISE_ENCRYPTION_KEY must be set, because it encrypts the signing key');
  }
  return await inTransaction(pool, async (client) => {
    await lockSigners(client);
    const signer = await findSigner(client, config);
    if (signer !== null) await encryptSigner(client, signer, encryptionKey);
    await rotateEmbeddingKey(client, config);
    return signer !== null;
  });
}

import type pg from 'pg';
import { ConfigError, type Config } from '../config/config.ts';
import { inTransaction } from '../db/transaction.ts';
import { encryptSigner, findSigner, lockSigners } from './signing-store.ts';

/**
 * Encrypts the signing key in the database with `GUISE_ENCRYPTION_KEY`, whichever of it and
 * `GUISE_PREVIOUS_ENCRYPTION_KEY` opens it now.
 * @returns whether there is a signing key.
 * @throws ConfigError if there is nothing to encrypt with, or neither opens it
 */
export async function rotateEncryption(
  config: Pick<Config, 'encryptionKey' | 'previousEncryptionKey'>,
  pool: pg.Pool,
): Promise<boolean> {
  const { encryptionKey } = config;
  if (encryptionKey === null) {
    throw new ConfigError('GUISE_ENCRYPTION_KEY must be set: it is what the signing key is encrypted with');
  }
  return await inTransaction(pool, async (client) => {
    await lockSigners(client);
    const signer = await findSigner(client, config);
    if (signer !== null) await encryptSigner(client, signer, encryptionKey);
    return signer !== null;
  });
}

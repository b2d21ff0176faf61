import { ConfigError } from '../config/config.ts';
import { decrypt, encrypt } from '../db/encryption.ts';

/** Purpose of the secret, so that the operator's secret can also serve other purposes. */
const PURPOSE = 'guise signing key';

/** Encrypts a private key. @returns nonce, tag and ciphertext. */
export function encryptKey(keyPem: string, secret: string): Buffer {
  return encrypt(keyPem, secret, PURPOSE);
}

/**
 * Decrypts a result of `encryptKey`.
 * @param previous secret that may have encrypted it before a rotation
 * @throws ConfigError if the secret is missing, or neither secret is right
 */
export function decryptKey(encrypted: Buffer, secret: string | null, previous: string | null): string {
  if (secret === null) {
    throw new ConfigError(
      'GUISE_ENCRYPTION_KEY must be set: the signing key in the database is encrypted with it',
    );
  }
  const secrets = previous === null ? [secret] : [secret, previous];
  for (const each of secrets) {
    const keyPem = decrypt(encrypted, each, PURPOSE);
    if (keyPem !== null) return keyPem;
  }
  throw new ConfigError(
    'GUISE_ENCRYPTION_KEY is not the one that the signing key in the database was encrypted with',
  );
}

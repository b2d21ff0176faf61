import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ConfigError } from '../config/config.ts';

/** Cipher of a key at rest: it notices every change. */
const CIPHER = 'aes-256-gcm';

/** Bytes of the cipher's nonce. */
const NONCE_BYTES = 12;

/** Bytes of the cipher's tag. */
const TAG_BYTES = 16;

/** Bytes of the cipher's key. */
const KEY_BYTES = 32;

/** Purpose of the derived key, so that the operator's secret may serve others as well. */
const PURPOSE = 'guise signing key';

/** Encrypts a private key. @returns nonce, tag and ciphertext. */
export function encryptKey(keyPem: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, derivedKey(secret), nonce);
  const text = Buffer.concat([cipher.update(keyPem, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/**
 * Decrypts what `encryptKey` made.
 * @param previous secret that it may have been encrypted with before a rotation
 * @throws ConfigError if the secret is missing, or neither is the right one
 */
export function decryptKey(encrypted: Buffer, secret: string | null, previous: string | null): string {
  if (secret === null) {
    throw new ConfigError(
      'GUISE_ENCRYPTION_KEY must be set: the signing key in the database is encrypted with it',
    );
  }
  const secrets = previous === null ? [secret] : [secret, previous];
  for (const each of secrets) {
    const keyPem = openWith(encrypted, each);
    if (keyPem !== null) return keyPem;
  }
  throw new ConfigError(
    'GUISE_ENCRYPTION_KEY is not the one that the signing key in the database was encrypted with',
  );
}

/** Decrypts with this secret; null if it is another. */
function openWith(encrypted: Buffer, secret: string): string | null {
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, derivedKey(secret), encrypted.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, tagEnd));
  try {
    return decipher.update(encrypted.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

/** Derives the cipher's key from a long secret, which needs no slow hash. */
function derivedKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES));
}

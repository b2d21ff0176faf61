import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { type Config, ConfigError } from '../config/config.ts';

/** Secrets of the operator that encrypt keys in the database: the current and the previous one. */
export type KeySecrets = Pick<Config, 'encryptionKey' | 'previousEncryptionKey'>;

/** Cipher for stored data. It detects every change. */
const CIPHER = 'aes-256-gcm';

/** Bytes of the cipher's nonce. */
const NONCE_BYTES = 12;

/** Bytes of the cipher's tag. */
const TAG_BYTES = 16;

/** Bytes of the cipher's key. */
const KEY_BYTES = 32;

/**
 * Encrypts a text.
 * @param secret long and random, so that it needs no slow hash
 * @param purpose purpose of the text. Texts of other purposes cannot be decrypted, so that one
 * secret can
 *   serve several.
 * @returns nonce, tag and ciphertext.
 */
export function encrypt(text: string, secret: string | KeyObject, purpose: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, derivedKey(secret, purpose), nonce);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** Decrypts a result of `encrypt`; null if the secret or the purpose is wrong. */
export function decrypt(encrypted: Buffer, secret: string | KeyObject, purpose: string): string | null {
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv(
      CIPHER,
      derivedKey(secret, purpose),
      encrypted.subarray(0, NONCE_BYTES),
    );
    decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, tagEnd));
    return decipher.update(encrypted.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

/**
 * Decrypts a result of `encrypt` with the operator's current secret or the one before a rotation.
 * @param name name of the encrypted thing in messages
 * @throws ConfigError if the secret is missing, or neither secret is right
 */
export function decryptWithSecrets(
  encrypted: Buffer,
  { encryptionKey, previousEncryptionKey }: KeySecrets,
  purpose: string,
  name: string,
): string {
  if (encryptionKey === null) {
    throw new ConfigError(
      `GUISE_ENCRYPTION_KEY must be set: the ${name} in the database is encrypted with it`,
    );
  }
  for (const secret of [encryptionKey, previousEncryptionKey]) {
    const text = secret === null ? null : decrypt(encrypted, secret, purpose);
    if (text !== null) return text;
  }
  throw new ConfigError(
    `GUISE_ENCRYPTION_KEY is not the one that the ${name} in the database was encrypted with`,
  );
}

function derivedKey(secret: string | KeyObject, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}

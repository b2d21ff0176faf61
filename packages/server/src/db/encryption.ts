import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

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

function derivedKey(secret: string | KeyObject, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}

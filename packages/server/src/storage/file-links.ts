import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { SecretRing } from '../db/installation-secrets.ts';

export type LinkState = 'good' | 'bad' | 'expired';

/**
 * Signed links to stored files. Whoever has a link may read that one file until the link expires.
 */
export interface FileLinks {
  /**
   * Signs a link. Equal arguments give equal links. @param expiresAt rounded down to the second.
   */
  sign(key: string, expiresAt: Date): string;
  /** Checks a link. @param expires,signature from its query; undefined if they are missing. */
  check(key: string, expires: string | undefined, signature: string | undefined, now?: Date): LinkState;
}

/** Path prefix under which stored files are served. */
export const FILES_PATH = '/files/';

/** Makes the signer of links. @param publicUrl beginning of each link, without a trailing slash. */
export function createFileLinks(secrets: SecretRing, publicUrl: string): FileLinks {
  return {
    sign(key, expiresAt) {
      const expires = String(Math.floor(expiresAt.getTime() / 1000));
      const signature = signatureOf(secrets.signing(), key, expires);
      return `${publicUrl}${FILES_PATH}${key}?expires=${expires}&signature=${signature}`;
    },
    check(key, expires, signature, now = new Date()) {
      if (expires === undefined || signature === undefined || !/^\d{1,12}$/.test(expires)) return 'bad';
      // The texts are compared, because several texts decode to the same bytes.
      const given = Buffer.from(signature);
      const isSignedBy = (secret: KeyObject): boolean => {
        const right = Buffer.from(signatureOf(secret, key, expires));
        return given.length === right.length && timingSafeEqual(given, right);
      };
      if (!secrets.accepted().some(isSignedBy)) return 'bad';
      return Number(expires) * 1000 <= now.getTime() ? 'expired' : 'good';
    },
  };
}

/**
 * Signs a key and a time. Keys contain no line break, so two different pairs never give the same
 * text.
 */
function signatureOf(secret: KeyObject, key: string, expires: string): string {
  return createHmac('sha256', secret).update(`${key}\n${expires}`).digest('base64url');
}

import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { installationSecret } from '../db/installation-secret.ts';

export type LinkState = 'good' | 'bad' | 'expired';

/**
 * Signed links to stored files: the holder of a link may read that file until it expires, and
 * nothing else.
 */
export interface FileLinks {
  /** Signs a link; equal arguments give equal links. @param expiresAt cut to the second. */
  sign(key: string, expiresAt: Date): string;
  /** Checks a link. @param expires,signature from its query; undefined if it lacks them. */
  check(key: string, expires: string | undefined, signature: string | undefined, now?: Date): LinkState;
}

/** Path below which stored files are served. */
export const FILES_PATH = '/files/';

/** Name of the secret that signs links. */
const LINKS_SECRET_NAME = 'file-links';

/** Makes the signer of links. @param publicUrl start of links, without a trailing slash. */
export async function createFileLinks(db: pg.Pool, publicUrl: string): Promise<FileLinks> {
  // As bytes it would be imported anew for every link: 12 us instead of 2.
  const secret = createSecretKey(await installationSecret(db, LINKS_SECRET_NAME));
  // The key holds no line break, so no two pairs give the same text.
  const signatureOf = (key: string, expires: string): string =>
    createHmac('sha256', secret).update(`${key}\n${expires}`).digest('base64url');
  return {
    sign(key, expiresAt) {
      const expires = String(Math.floor(expiresAt.getTime() / 1000));
      return `${publicUrl}${FILES_PATH}${key}?expires=${expires}&signature=${signatureOf(key, expires)}`;
    },
    check(key, expires, signature, now = new Date()) {
      if (expires === undefined || signature === undefined || !/^\d{1,12}$/.test(expires)) return 'bad';
      // Compared as text: decoded, several spellings would mean the same bytes.
      const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(key, expires))];
      if (given.length !== right.length || !timingSafeEqual(given, right)) return 'bad';
      return Number(expires) * 1000 <= now.getTime() ? 'expired' : 'good';
    },
  };
}

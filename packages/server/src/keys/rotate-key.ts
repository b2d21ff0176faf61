import { OUTPUT_LIFETIME_MS } from '@guise/contract/limits.ts';
import type pg from 'pg';
import { SECRET_NAMES, type SecretName } from '../db/installation-secrets.ts';
import { rotateSecret, type SecretRotation } from '../db/rotate-secret.ts';
import { KNOWN_PLACE_DAYS } from '../sign-in/known-places.ts';
import { SESSION_LIFETIME_SECONDS } from '../sign-in/sessions.ts';

/** Milliseconds of a day. */
const DAY_MS = 86_400_000;

/** Longest lifetime of what each secret signs, so that nothing becomes invalid early. */
const LIFETIME_MS: Record<SecretName, number> = {
  'file-links': OUTPUT_LIFETIME_MS,
  'sign-in': SESSION_LIFETIME_SECONDS * 1000,
  'known-places': KNOWN_PLACE_DAYS * DAY_MS,
};

export function isSecretName(name: string): name is SecretName {
  return (SECRET_NAMES as readonly string[]).includes(name);
}

/**
 * Makes a new secret of the installation. Services may be running.
 * @param isUrgent makes signatures of former secrets invalid at once, for example after a leak.
 */
export async function rotateKey(pool: pg.Pool, name: SecretName, isUrgent: boolean): Promise<SecretRotation> {
  return await rotateSecret(pool, name, isUrgent ? null : LIFETIME_MS[name]);
}

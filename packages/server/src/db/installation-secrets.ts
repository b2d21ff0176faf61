import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { followChanges } from './follow-changes.ts';
import type { Notifications } from './notifications.ts';

/** Names of the secrets that all processes of the installation share. */
export const SECRET_NAMES = ['file-links', 'sign-in', 'known-places'] as const;

export type SecretName = (typeof SECRET_NAMES)[number];

/** A secret and its predecessors. */
export interface SecretRing {
  /** Returns the secret for new signatures. It is the same object until a rotation. */
  signing(): KeyObject;
  /** Returns all secrets whose signatures are valid, the signing secret first. */
  accepted(): readonly KeyObject[];
}

/** The installation's secrets. */
export interface InstallationSecrets extends Record<SecretName, SecretRing> {
  /** Reads the secrets again. This also happens on notifications and every `SECRETS_REFRESH_MS`. */
  refresh(): Promise<void>;
  close(): void;
}

export interface SecretsOptions {
  readonly pool: pg.Pool;
  /** Notifications about rotations. Without them, only the interval causes reads. */
  readonly notifications?: Notifications;
  /** Called with failures of later reads. The current secrets stay in use. */
  readonly onError: (error: unknown) => void;
}

/**
 * Interval at which each process reads the secrets. A new secret signs only after three intervals,
 * when all processes have read it.
 */
export const SECRETS_REFRESH_MS = 20_000;

/** Number of random bytes in a secret. */
const SECRET_BYTES = 32;

/** Reads the installation's secrets. The first process makes those that are missing. */
export async function openInstallationSecrets(options: SecretsOptions): Promise<InstallationSecrets> {
  const { pool, notifications, onError } = options;
  await makeMissing(pool);
  let keys = await readKeys(pool, new Map());
  const { look: refresh, close } = followChanges({
    channel: 'guise_secrets',
    notifications,
    everyMs: SECRETS_REFRESH_MS,
    async look() {
      keys = await readKeys(pool, keys);
    },
    onError,
  });
  const ring = (name: SecretName): SecretRing => ({
    signing: () => keys.get(name)![0]!,
    accepted: () => keys.get(name)!,
  });
  return {
    'file-links': ring('file-links'),
    'sign-in': ring('sign-in'),
    'known-places': ring('known-places'),
    refresh,
    close,
  };
}

/** Makes the random bytes of a secret. */
export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** Makes the secrets that the database does not have yet. */
export async function makeMissing(pool: pg.Pool): Promise<void> {
  for (const name of SECRET_NAMES) {
    await pool.query(
      'insert into installation_secrets (name, secret) values ($1, $2) on conflict do nothing',
      [name, newSecret()],
    );
  }
}

type Keys = ReadonlyMap<string, readonly KeyObject[]>;

/** Reads the keys of all names, the signing key first. Known keys keep their objects. */
async function readKeys(pool: pg.Pool, known: Keys): Promise<Keys> {
  const { rows } = await pool.query<{ name: string; secret: Buffer }>(
    `select name, secret from (
       select name, secret, signs_from, true as is_newest from installation_secrets where name = any($1)
       union all
       select name, secret, signs_from, false from former_secrets
       where name = any($1) and checks_until > now()
     ) as secrets
     order by name, signs_from <= now() desc, signs_from desc, is_newest desc`,
    [SECRET_NAMES],
  );
  const keys = new Map<string, KeyObject[]>();
  for (const { name, secret } of rows) {
    const key = createSecretKey(secret);
    const same = known.get(name)?.find((each) => each.equals(key));
    keys.set(name, [...(keys.get(name) ?? []), same ?? key]);
  }
  return keys;
}

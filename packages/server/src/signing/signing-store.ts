import { createHash } from 'node:crypto';
import type { SigningPems } from '@guise/media/provenance/signing-identity.ts';
import type { Config } from '../config/config.ts';
import type { Queryable } from '../db/database.ts';
import { decryptKey, encryptKey } from './key-encryption.ts';

/** What keys in the database are encrypted with, and were before. */
export type KeySecrets = Pick<Config, 'encryptionKey' | 'previousEncryptionKey'>;

/**
 * Returns the identity that this installation signs with; null before the first. A key that rests
 * in plain text is encrypted once there is a secret.
 * @throws ConfigError if neither secret opens it
 */
export async function findSigner(
  db: Queryable,
  { encryptionKey: secret, previousEncryptionKey }: KeySecrets,
): Promise<SigningPems | null> {
  const { rows } = await db.query<{ chain: string; private_key: Buffer; is_encrypted: boolean }>(
    'select chain, private_key, is_encrypted from signing_certificates where is_current',
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (row.is_encrypted) {
    const keyPem = decryptKey(row.private_key, secret, previousEncryptionKey);
    return { chainPem: row.chain, keyPem };
  }
  const signer = { chainPem: row.chain, keyPem: row.private_key.toString('utf8') };
  if (secret !== null) {
    await db.query(
      `update signing_certificates set private_key = $2, is_encrypted = true
       where fingerprint = $1 and is_current and not is_encrypted`,
      [fingerprintOf(signer.chainPem), encryptKey(signer.keyPem, secret)],
    );
  }
  return signer;
}

/** Returns the fingerprint of who signs now, in hexadecimal; null before the first identity. */
export async function findSignerFingerprint(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ fingerprint: string }>(
    `select encode(fingerprint, 'hex') as fingerprint from signing_certificates where is_current`,
  );
  return rows[0]?.fingerprint ?? null;
}

/** Makes an identity the one that this installation signs with; none may be. */
export async function addSigner(
  db: Queryable,
  { chainPem, keyPem }: SigningPems,
  secret: string | null,
): Promise<void> {
  await db.query(
    `insert into signing_certificates (fingerprint, chain, private_key, is_encrypted, is_current)
     values ($1, $2, $3, $4, true)
     on conflict (fingerprint) do update set
       private_key = excluded.private_key, is_encrypted = excluded.is_encrypted, is_current = true`,
    [
      fingerprintOf(chainPem),
      chainPem,
      secret === null ? Buffer.from(keyPem) : encryptKey(keyPem, secret),
      secret !== null,
    ],
  );
}

/** Encrypts anew the key of the identity that signs now. */
export async function encryptSigner(db: Queryable, signer: SigningPems, secret: string): Promise<void> {
  await db.query(
    `update signing_certificates set private_key = $2, is_encrypted = true
     where fingerprint = $1 and is_current`,
    [fingerprintOf(signer.chainPem), encryptKey(signer.keyPem, secret)],
  );
}

/** Lets nobody sign any more with the identity that signs now, and forgets its key. */
export async function retireSigner(db: Queryable): Promise<void> {
  await db.query(
    `update signing_certificates set is_current = false, private_key = null, is_encrypted = false
     where is_current`,
  );
}

/** Remembers a certificate that signed files of this installation. */
export async function addCertificate(db: Queryable, chainPem: string): Promise<void> {
  await db.query(
    `insert into signing_certificates (fingerprint, chain, is_current) values ($1, $2, false)
     on conflict (fingerprint) do nothing`,
    [fingerprintOf(chainPem), chainPem],
  );
}

/** Lists all chains of this installation. */
export async function listChains(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ chain: string }>('select chain from signing_certificates');
  return rows.map(({ chain }) => chain);
}

/** Lists the chains that signed before, the oldest first. */
export async function listEarlierChains(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ chain: string }>(
    'select chain from signing_certificates where not is_current order by created_at, fingerprint',
  );
  return rows.map(({ chain }) => chain);
}

/** Lets one process at a time decide who signs, until the transaction ends. */
export async function lockSigners(db: Queryable): Promise<void> {
  await db.query('lock table signing_certificates in share row exclusive mode');
}

function fingerprintOf(chainPem: string): Buffer {
  return createHash('sha256').update(chainPem).digest();
}

import { createHash } from 'node:crypto';
import type { SigningPems } from '@guise/media/provenance/signing-identity.ts';
import type { Queryable } from '../db/database.ts';
import { decryptWithSecrets, encrypt, type KeySecrets } from '../db/encryption.ts';

/** Purpose of the operator's secret, which also encrypts other keys. */
const PURPOSE = 'guise signing key';

/**
 * Returns the identity with which this installation signs; null if there is none yet. If a key is
 * stored in plain text and there is a secret, encrypts the key.
 * @throws ConfigError if neither secret decrypts the key
 */
export async function findSigner(db: Queryable, secrets: KeySecrets): Promise<SigningPems | null> {
  const { rows } = await db.query<{ chain: string; private_key: Buffer; is_encrypted: boolean }>(
    'select chain, private_key, is_encrypted from signing_certificates where is_current',
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (row.is_encrypted) {
    const keyPem = decryptWithSecrets(row.private_key, secrets, PURPOSE, 'signing key');
    return { chainPem: row.chain, keyPem };
  }
  const signer = { chainPem: row.chain, keyPem: row.private_key.toString('utf8') };
  const secret = secrets.encryptionKey;
  if (secret !== null) {
    await db.query(
      `update signing_certificates set private_key = $2, is_encrypted = true
       where fingerprint = $1 and is_current and not is_encrypted`,
      [fingerprintOf(signer.chainPem), encrypt(signer.keyPem, secret, PURPOSE)],
    );
  }
  return signer;
}

/** Returns the fingerprint of the current identity, in hex; null if there is none yet. */
export async function findSignerFingerprint(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ fingerprint: string }>(
    `select encode(fingerprint, 'hex') as fingerprint from signing_certificates where is_current`,
  );
  return rows[0]?.fingerprint ?? null;
}

/**
 * Stores an identity as the current one of this installation. There must be no current identity.
 */
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
      secret === null ? Buffer.from(keyPem) : encrypt(keyPem, secret, PURPOSE),
      secret !== null,
    ],
  );
}

/** Encrypts the key of the current identity with another secret. */
export async function encryptSigner(db: Queryable, signer: SigningPems, secret: string): Promise<void> {
  await db.query(
    `update signing_certificates set private_key = $2, is_encrypted = true
     where fingerprint = $1 and is_current`,
    [fingerprintOf(signer.chainPem), encrypt(signer.keyPem, secret, PURPOSE)],
  );
}

/** Retires the current identity and deletes its key, so that nobody can sign with it. */
export async function retireSigner(db: Queryable): Promise<void> {
  await db.query(
    `update signing_certificates set is_current = false, private_key = null, is_encrypted = false
     where is_current`,
  );
}

/** Stores the chain of a certificate that signs, or signed, files of this installation. */
export async function addCertificate(db: Queryable, chainPem: string): Promise<void> {
  await db.query(
    `insert into signing_certificates (fingerprint, chain, is_current) values ($1, $2, false)
     on conflict (fingerprint) do nothing`,
    [fingerprintOf(chainPem), chainPem],
  );
}

/** Lists all certificate chains of this installation. */
export async function listChains(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ chain: string }>('select chain from signing_certificates');
  return rows.map(({ chain }) => chain);
}

/** Lists the certificate chains of earlier identities, the oldest first. */
export async function listEarlierChains(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ chain: string }>(
    'select chain from signing_certificates where not is_current order by created_at, fingerprint',
  );
  return rows.map(({ chain }) => chain);
}

/**
 * Locks the certificates until the transaction ends, so that only one process at a time chooses the
 * current identity.
 */
export async function lockSigners(db: Queryable): Promise<void> {
  await db.query('lock table signing_certificates in share row exclusive mode');
}

function fingerprintOf(chainPem: string): Buffer {
  return createHash('sha256').update(chainPem).digest();
}

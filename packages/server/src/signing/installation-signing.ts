import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type pg from 'pg';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import {
  findSigningPems,
  readEarlierChains,
  readSigningPems,
  replaceSigningFolder,
  signingFilesIn,
} from '@guise/media/provenance/signing-folder.ts';
import {
  loadSigningIdentity,
  parseSignerCertificate,
  parseSigningIdentity,
  SigningIdentityError,
  type SignerCertificate,
  type SigningIdentity,
  type SigningPems,
} from '@guise/media/provenance/signing-identity.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { dataDirLayout } from '../config/data-dir.ts';
import { notify } from '../db/notifications.ts';
import { inTransaction } from '../db/transaction.ts';
import { prepareSigning } from './prepare-signing.ts';
import {
  addCertificate,
  addSigner,
  findSigner,
  listEarlierChains,
  lockSigners,
  retireSigner,
} from './signing-store.ts';

/** Settings that decide which identity signs. */
export type SigningConfig = Pick<Config, 'signing' | 'dataDir' | 'encryptionKey' | 'previousEncryptionKey'>;

/**
 * Returns the identity with which every machine of this installation signs: the operator's own, or
 * the one in the database. If the database has none, stores the identity of the data folder, or a
 * new one, there. The data folder gets a copy, for commands that run without a database.
 * @param onReplaced called with a path if the data folder contained an identity that the database
 * does not
 *   know; the identity was moved to that path.
 * @throws ConfigError naming the variable that must be corrected
 */
export async function installationIdentity(
  config: SigningConfig,
  pool: pg.Pool,
  onReplaced: (keptIn: string) => void,
): Promise<SigningIdentity> {
  if (config.signing !== null) {
    const files = await prepareSigning(config);
    await addCertificate(pool, await readFile(files.certificatePath, 'utf8'));
    return await loadSigningIdentity(files);
  }
  const folder = dataDirLayout(config.dataDir).signing;
  const signer = (await findSigner(pool, config)) ?? (await adopt(config, pool));
  await copyTo(folder, signer, pool, onReplaced);
  try {
    return parseSigningIdentity(signer, signingFilesIn(folder));
  } catch (error) {
    if (!(error instanceof SigningIdentityError)) throw error;
    throw new ConfigError(
      `The certificate in the database cannot be used: ${error.message} \`guise signing rotate\` makes a new one.`,
      { cause: error },
    );
  }
}

/**
 * Replaces the identity of the installation by a new one. Workers switch to it soon. Files that
 * earlier identities signed are still recognised.
 * @throws ConfigError if the operator's own certificate is in use
 */
export async function rotateSigning(config: SigningConfig, pool: pg.Pool): Promise<SignerCertificate> {
  if (config.signing !== null) {
    throw new ConfigError(
      'guise signs with your own certificate. To rotate it, replace the files of GUISE_SIGNING_CERTIFICATE and GUISE_SIGNING_KEY, and restart the workers',
    );
  }
  // The new folder is next to the current one, because it needs the same disk and permissions.
  const folder = `${dataDirLayout(config.dataDir).signing}.new-${randomUUID()}`;
  try {
    const signer = await readSigningPems(await ensureSigningFiles(folder));
    await inTransaction(pool, async (client) => {
      await lockSigners(client);
      await retireSigner(client);
      await addSigner(client, signer, config.encryptionKey);
    });
    await notify(pool, 'guise_secrets', 'signing');
    return parseSignerCertificate(signer.chainPem, 'The new chain');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Makes the identity of this machine that of the installation, unless another machine was first.
 * @returns the identity of the installation
 */
async function adopt(config: SigningConfig, pool: pg.Pool): Promise<SigningPems> {
  const own = await readSigningPems(await prepareSigning(config));
  return await inTransaction(pool, async (client) => {
    await lockSigners(client);
    const first = await findSigner(client, config);
    if (first === null) await addSigner(client, own, config.encryptionKey);
    return first ?? own;
  });
}

/**
 * Writes the installation's identity and its earlier certificates to this machine's signing folder.
 */
async function copyTo(
  folder: string,
  signer: SigningPems,
  pool: pg.Pool,
  onReplaced: (keptIn: string) => void,
): Promise<void> {
  const here = await findSigningPems(folder);
  const earlier = await listEarlierChains(pool);
  const isCurrent = here?.chainPem === signer.chainPem && here.keyPem === signer.keyPem;
  if (isCurrent && (await readEarlierChains(folder)).join() === earlier.join()) return;
  const isUnknown = here !== null && ![signer.chainPem, ...earlier].includes(here.chainPem);
  if (isUnknown && isCertificate(here.chainPem)) earlier.push(here.chainPem);
  const kept = await replaceSigningFolder(folder, signer, earlier, { keepOld: isUnknown });
  for (const chainPem of earlier) await addCertificate(pool, chainPem);
  if (kept !== null) onReplaced(kept);
}

function isCertificate(chainPem: string): boolean {
  try {
    parseSignerCertificate(chainPem, 'The chain');
    return true;
  } catch {
    return false;
  }
}

import { readdir } from 'node:fs/promises';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import {
  loadSigningIdentity,
  SigningIdentityError,
  type SigningFiles,
} from '@guise/media/provenance/signing-identity.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { dataDirLayout } from '../config/data-dir.ts';

/**
 * Returns the checked files with which this installation signs: the operator's own certificate, or
 * the one in the data folder, which is made if it is missing.
 * @throws ConfigError naming the variable that must be corrected
 */
export async function prepareSigning({
  signing,
  dataDir,
}: Pick<Config, 'signing' | 'dataDir'>): Promise<SigningFiles> {
  if (signing === null) return await ownSigning(dataDir);
  try {
    // Imported only for an operator's own certificate, because it takes 2 MB.
    const { checkSigningIdentity } = await import('@guise/media/provenance/trial-signature.ts');
    await checkSigningIdentity(await loadSigningIdentity(signing));
    return signing;
  } catch (error) {
    if (!(error instanceof SigningIdentityError)) throw error;
    const variable = error.fault === 'key' ? 'GUISE_SIGNING_KEY' : 'GUISE_SIGNING_CERTIFICATE';
    throw new ConfigError(`${variable} cannot be used: ${error.message}`, { cause: error });
  }
}

/**
 * Checks the files with which this machine would sign, before anything else starts. Makes none.
 * @throws as `prepareSigning`
 */
export async function checkSigning(config: Pick<Config, 'signing' | 'dataDir'>): Promise<void> {
  const isThere =
    config.signing !== null ||
    (await readdir(dataDirLayout(config.dataDir).signing).catch(() => [])).length > 0;
  if (isThere) await prepareSigning(config);
}

async function ownSigning(dataDir: string): Promise<SigningFiles> {
  const folder = dataDirLayout(dataDir).signing;
  try {
    const files = await ensureSigningFiles(folder);
    await loadSigningIdentity(files);
    return files;
  } catch (error) {
    if (!(error instanceof SigningIdentityError)) throw error;
    throw new ConfigError(
      `GUISE_DATA_DIR holds a certificate that cannot be used: ${error.message} ` +
        `Move the folder ${folder} away: the next start then takes the certificate from the database, or makes a new one.`,
      { cause: error },
    );
  }
}

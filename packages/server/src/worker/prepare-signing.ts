import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import {
  loadSigningIdentity,
  SigningIdentityError,
  type SigningFiles,
} from '@guise/media/provenance/signing-identity.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { dataDirLayout } from '../config/data-dir.ts';

/**
 * What this installation signs its outputs with, known to be usable: the operator's own
 * certificate, else the one in the data directory, which is made where there is none.
 * @throws ConfigError naming the variable that must be mended
 */
export async function prepareSigning({ signing, dataDir }: Config): Promise<SigningFiles> {
  if (signing === null) return await ownSigning(dataDir);
  try {
    // Only an operator's own certificate needs it: a waiting command is 2 MB lighter without.
    const { checkSigningIdentity } = await import('@guise/media/provenance/trial-signature.ts');
    await checkSigningIdentity(await loadSigningIdentity(signing));
    return signing;
  } catch (error) {
    if (!(error instanceof SigningIdentityError)) throw error;
    const variable = error.fault === 'key' ? 'GUISE_SIGNING_KEY' : 'GUISE_SIGNING_CERTIFICATE';
    throw new ConfigError(`${variable} cannot be used: ${error.message}`, { cause: error });
  }
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
        `Without the folder ${folder} the next start makes a new one.`,
      { cause: error },
    );
  }
}

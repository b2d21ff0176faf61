import { signingFilesIn } from '@guise/media/provenance/certificate.ts';
import {
  readSignerCertificate,
  SigningIdentityError,
  type SignerCertificate,
} from '@guise/media/provenance/signing-identity.ts';
import type { Config } from '../config/config.ts';
import { dataDirLayout } from '../config/data-dir.ts';

/**
 * This installation's own certificate; looking makes none.
 * @returns null if the data directory holds none that can be read, such as before the first
 * start
 * @throws SigningIdentityError if the operator's own cannot be read
 */
export async function readOwnCertificate({
  signing,
  dataDir,
}: Pick<Config, 'signing' | 'dataDir'>): Promise<SignerCertificate | null> {
  try {
    const { certificatePath } = signing ?? signingFilesIn(dataDirLayout(dataDir).signing);
    return await readSignerCertificate(certificatePath);
  } catch (error) {
    if (signing === null && error instanceof SigningIdentityError) return null;
    throw error;
  }
}

import type pg from 'pg';
import { findSigningPems, readEarlierChains } from '@guise/media/provenance/signing-folder.ts';
import {
  parseSignerCertificate,
  readSignerCertificate,
  type SignerCertificate,
} from '@guise/media/provenance/signing-identity.ts';
import type { Config } from '../config/config.ts';
import { dataDirLayout } from '../config/data-dir.ts';
import { listChains } from './signing-store.ts';

/**
 * Reads the certificates with which this installation signs or signed. Never makes a certificate.
 * @param pool of the database; null to read only this machine's copy, if that is possible
 * @throws SigningIdentityError if the operator's own certificate cannot be read
 */
export async function readOwnCertificates(
  { signing, dataDir }: Pick<Config, 'signing' | 'dataDir'>,
  pool: pg.Pool | null,
): Promise<SignerCertificate[]> {
  const folder = dataDirLayout(dataDir).signing;
  const here = await findSigningPems(folder);
  const chains = new Set([
    ...(here === null ? [] : [here.chainPem]),
    ...(await readEarlierChains(folder)),
    ...(pool === null ? [] : await listChains(pool)),
  ]);
  const own = [...chains].flatMap((chainPem) => {
    try {
      return [parseSignerCertificate(chainPem, folder)];
    } catch {
      // The certificate is damaged, so no file signed with it can be recognised.
      return [];
    }
  });
  return signing === null ? own : [await readSignerCertificate(signing.certificatePath), ...own];
}

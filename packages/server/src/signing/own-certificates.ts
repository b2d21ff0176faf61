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
 * Reads the certificates that this installation signs or signed with; looking makes none.
 * @param pool of the database; null for this machine's copy alone, as far as it can be read
 * @throws SigningIdentityError if the operator's own cannot be read
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
      // Damaged: nothing was signed with it that could be recognised.
      return [];
    }
  });
  return signing === null ? own : [await readSignerCertificate(signing.certificatePath), ...own];
}

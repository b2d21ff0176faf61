import { loadC2pa } from '@guise/media/provenance/c2pa-module.ts';
import { createManifestSigner, type ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { loadSigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import type { Config } from '../config/config.ts';
import { prepareSigning } from './prepare-signing.ts';
import { SWAP_CLAIM } from '@guise/engine-host/parent/swap-claim.ts';

/**
 * Opens the signer of this installation's outputs, in the calling process. The key must be in no
 * process that opens strangers' files.
 * @throws ConfigError as `prepareSigning`
 */
export async function openSigner(config: Config): Promise<ManifestSigner> {
  const identity = await loadSigningIdentity(await prepareSigning(config));
  // Compiled on other threads while the engines start. An error shows at the first signature.
  loadC2pa().catch(() => {});
  return createManifestSigner(identity, SWAP_CLAIM);
}

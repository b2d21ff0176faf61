import { loadC2pa } from '@guise/media/provenance/c2pa-module.ts';
import { createManifestSigner, type ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { loadSigningIdentity, type SigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { SWAP_CLAIM } from '@guise/engine-host/parent/swap-claim.ts';
import type { Config } from '../config/config.ts';
import { prepareSigning } from '../signing/prepare-signing.ts';

/**
 * Opens the signer of a command's outputs, in the calling process, with what this machine has of
 * the installation's identity. The key must be in no process that opens untrusted files.
 * @throws ConfigError as `prepareSigning`
 */
export async function openSigner(config: Config): Promise<ManifestSigner> {
  return signerOf(loadSigningIdentity(await prepareSigning(config)));
}

/** Makes a signer for an identity that may still be read, such as from a database that starts. */
export function signerOf(identity: Promise<SigningIdentity>): ManifestSigner {
  // Compiled on other threads while the engines start. An error shows at the first signature.
  loadC2pa().catch(() => {});
  const signer = identity.then((each) => createManifestSigner(each, SWAP_CLAIM));
  // Whoever reads it learns of a failure; here it shows at the first signature.
  signer.catch(() => {});
  return {
    manifestBytes: async (contentType) => (await signer).manifestBytes(contentType),
    sign: async (request) => (await signer).sign(request),
  };
}

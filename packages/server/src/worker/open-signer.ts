import { loadC2pa } from '@guise/media/provenance/c2pa-module.ts';
import { createManifestSigner, type ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { loadSigningIdentity, type SigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { SWAP_CLAIM } from '@guise/engine-host/parent/swap-claim.ts';
import type { Config } from '../config/config.ts';
import { prepareSigning } from '../signing/prepare-signing.ts';

/**
 * Opens the signer for the outputs of a command, in this process, with the installation's identity
 * as stored on this machine. The key must never be in a process that opens untrusted files.
 * @throws ConfigError as `prepareSigning`
 */
export async function openSigner(config: Config): Promise<ManifestSigner> {
  return signerOf(loadSigningIdentity(await prepareSigning(config)));
}

/**
 * Makes a signer whose identity may still be loading, for example from a database that is starting.
 */
export function signerOf(identity: Promise<SigningIdentity>): ManifestSigner {
  // The library is compiled on other threads while the engines start. An error appears at the first
  // signature.
  loadC2pa().catch(() => {});
  const signer = identity.then((each) => createManifestSigner(each, SWAP_CLAIM));
  // The caller handles a failure of the identity. Here it appears at the first signature.
  signer.catch(() => {});
  return {
    manifestBytes: async (contentType, madeWith) => (await signer).manifestBytes(contentType, madeWith),
    sign: async (request) => (await signer).sign(request),
  };
}

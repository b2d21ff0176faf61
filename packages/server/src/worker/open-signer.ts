import { loadC2pa } from '@guise/media/provenance/c2pa-module.ts';
import { createManifestSigner, type ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { loadSigningIdentity, type SigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import type { TimeStamper } from '@guise/media/provenance/time-stamp.ts';
import { SWAP_CLAIM } from '@guise/engine-host/parent/swap-claim.ts';
import type { Config } from '../config/config.ts';
import { prepareSigning } from '../signing/prepare-signing.ts';
import { timeStamperOf } from '../signing/time-stamper.ts';

/**
 * Opens the signer for the outputs of a command, in this process, with the installation's identity
 * as stored on this machine. The key must never be in a process that opens untrusted files.
 * @param onUnstamped called with the reason for each signature without the wanted time stamp
 * @throws ConfigError as `prepareSigning`
 */
export async function openSigner(
  config: Config,
  onUnstamped: (reason: string) => void,
): Promise<ManifestSigner> {
  const identity = loadSigningIdentity(await prepareSigning(config));
  return signerOf(identity, timeStamperOf(config.timeStampUrl, onUnstamped));
}

/**
 * Makes a signer whose identity may still be loading, for example from a database that is starting.
 */
export function signerOf(identity: Promise<SigningIdentity>, stamp?: TimeStamper): ManifestSigner {
  // The library is compiled on other threads while the engines start. An error appears at the first
  // signature.
  loadC2pa().catch(() => {});
  const signer = identity.then((each) => createManifestSigner(each, SWAP_CLAIM, stamp));
  // The caller handles a failure of the identity. Here it appears at the first signature.
  signer.catch(() => {});
  return {
    manifestBytes: async (content) => (await signer).manifestBytes(content),
    sign: async (request) => (await signer).sign(request),
  };
}

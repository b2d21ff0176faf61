import type { ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';

/** Signer for engines that have nothing signed. */
export const BLANK_SIGNER: ManifestSigner = {
  manifestBytes: () => Promise.resolve(0),
  sign: () => Promise.resolve(new Uint8Array()),
};

import type { ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';

/**
 * Signer that signs nothing, for tests, and for an engine that warms up, whose results are thrown
 * away.
 */
export const BLANK_SIGNER: ManifestSigner = {
  manifestBytes: () => Promise.resolve(0),
  sign: () => Promise.resolve(new Uint8Array()),
};

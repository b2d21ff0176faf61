import type { ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';

/**
 * Signer that signs nothing: for an engine that warms up, whose results are thrown away, and for
 * tests.
 */
export const BLANK_SIGNER: ManifestSigner = {
  manifestBytes: () => Promise.resolve(0),
  sign: () => Promise.resolve(new Uint8Array()),
};

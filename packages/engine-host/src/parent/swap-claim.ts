import { GUISE_VERSION } from '@guise/contract/version.ts';
import type { Claim } from '@guise/media/provenance/claim.ts';
import { SWAP_PROVENANCE } from '@guise/media/xmp/xmp.ts';

/** What every output states about how it was made (docs/decisions/0008). */
export const SWAP_CLAIM: Claim = {
  generator: { name: 'guise', version: GUISE_VERSION },
  digitalSourceType: SWAP_PROVENANCE.digitalSourceType,
};

import { readMediaType } from '../media-type.ts';
import { TRAINED_ALGORITHMIC_MEDIA } from '../../xmp/xmp.ts';
import type { Origin } from '../manifest-signer.ts';
import { readManifestStore } from './read-manifest-store.ts';
import { readProvenance } from '../read-provenance.ts';
import { saysGenerated } from './says-generated.ts';
import { verifyCredentials } from '../verify-credentials.ts';

/** Limits of verifying a target, which takes twice its size of memory while its swap waits. */
const VERIFY_LIMITS = { maxBytes: 96 * 1024 * 1024, timeoutMs: 10_000 };
/** Matches IPTC's term for generated media; other programs also write it with https. */
const GENERATED_PATTERN = new RegExp(`^${TRAINED_ALGORITHMIC_MEDIA.replace('http', 'https?')}/?$`);

/**
 * Reads what the target of a swap says of itself, in its XMP and its content credentials. That a
 * picture is generated is believed without a signature, as anyone may say so. Credentials are
 * passed on only if they are valid, whoever signed them.
 *
 * Call it only in the engine process, because it opens an untrusted file. A damaged file says
 * nothing.
 */
export async function readOrigin(targetPath: string): Promise<Origin> {
  const provenance = await readProvenance(targetPath).catch(() => null);
  const store = await readManifestStore(targetPath);
  const isGenerated =
    GENERATED_PATTERN.test(provenance?.digitalSourceType ?? '') || (store !== null && saysGenerated(store));
  const parentStore = store !== null && (await isIntact(targetPath)) ? store : null;
  return {
    ...(isGenerated && { digitalSourceType: TRAINED_ALGORITHMIC_MEDIA }),
    ...(parentStore !== null && { parentStore }),
  };
}

/** Returns whether a file is as its content credentials say. */
async function isIntact(filePath: string): Promise<boolean> {
  try {
    const contentType = await readMediaType(filePath);
    if (contentType === null) return false;
    return (await verifyCredentials(filePath, contentType, VERIFY_LIMITS))?.valid === true;
  } catch {
    // The file is too large, or takes too long.
    return false;
  }
}

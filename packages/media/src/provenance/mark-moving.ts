import { readFile, stat } from 'node:fs/promises';
import { writeDurably, type WrittenFile } from '../write-durably.ts';
import type { Claim } from './claim.ts';
import { signBmff } from './sign-bmff.ts';
import { signStill } from './sign-still.ts';
import type { SigningIdentity } from './signing-identity.ts';
import { writeXmpToBmff } from './xmp-bmff.ts';
import { writeXmpToGif } from './xmp-gif.ts';
import { writeXmpToWebm } from './xmp-webm.ts';
import { SWAP_PROVENANCE, writeXmp } from './xmp.ts';

/** c2pa-wasm holds a GIF four times while it signs it: a larger one carries its XMP alone. */
const MAX_SIGNED_GIF_BYTES = 48 * 1024 * 1024;

/**
 * Says in a finished MP4, MOV, WebM or GIF file, in place, how it was made: XMP, and content credentials where the type has a place
 * for them (WebM has none). Its pictures and sound keep every byte. MP4 and MOV go through a small buffer whatever their length.
 * @returns size and SHA-256 of the file as it is now
 * @throws Error for another type, or a file that is not of its type
 */
export async function markMoving(
  filePath: string,
  contentType: string,
  identity: SigningIdentity,
  claim: Claim,
): Promise<WrittenFile> {
  const packet = writeXmp({ ...SWAP_PROVENANCE, digitalSourceType: claim.digitalSourceType });
  switch (contentType) {
    case 'video/mp4':
    case 'video/quicktime':
      await writeXmpToBmff(filePath, packet);
      return await signBmff(filePath, identity, claim);
    case 'video/webm':
      return await writeXmpToWebm(filePath, packet);
    case 'image/gif': {
      const marked = await writeXmpToGif(filePath, packet);
      if ((await stat(filePath)).size > MAX_SIGNED_GIF_BYTES) return marked;
      return await writeDurably(
        filePath,
        await signStill(await readFile(filePath), contentType, identity, claim),
      );
    }
    default:
      throw new Error(`${contentType} is no moving picture.`);
  }
}

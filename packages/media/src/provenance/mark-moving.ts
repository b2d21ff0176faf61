import type { WrittenFile } from '../write-durably.ts';
import type { ManifestSigner, Origin } from './manifest-signer.ts';
import { signBmff } from './sign-bmff.ts';
import { signGif } from './sign-gif.ts';
import { writeXmpToBmff } from '../xmp/xmp-bmff.ts';
import { writeXmpToGif } from '../xmp/xmp-gif.ts';
import { writeXmpToWebm } from '../xmp/xmp-webm.ts';
import { SWAP_PROVENANCE, writeXmp } from '../xmp/xmp.ts';

/**
 * Writes into a finished MP4, MOV, WebM or GIF file how it was made, as XMP and, except for WebM,
 * as content credentials. Pictures and sound keep every byte. A file of any size passes through a
 * small buffer.
 * @returns size and SHA-256 of the marked file
 * @throws Error for another type, or a file that is not of its type
 */
export async function markMoving(
  filePath: string,
  contentType: string,
  signer: ManifestSigner,
  origin: Origin = {},
): Promise<WrittenFile> {
  const { digitalSourceType = SWAP_PROVENANCE.digitalSourceType } = origin;
  const packet = writeXmp({ ...SWAP_PROVENANCE, digitalSourceType });
  switch (contentType) {
    case 'video/mp4':
    case 'video/quicktime':
      await writeXmpToBmff(filePath, packet);
      return await signBmff(filePath, contentType, signer, origin);
    case 'video/webm':
      return await writeXmpToWebm(filePath, packet);
    case 'image/gif':
      await writeXmpToGif(filePath, packet);
      return await signGif(filePath, signer, origin);
    default:
      throw new Error(`${contentType} is not a video or animation.`);
  }
}

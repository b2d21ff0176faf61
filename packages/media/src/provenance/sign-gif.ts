import { createHash } from 'node:crypto';
import type { WrittenFile } from '../write-durably.ts';
import { endOfPalette } from '../container/gif-palette.ts';
import type { ManifestSigner, Origin } from './manifest-signer.ts';
import { rewriteFile } from '../rewrite-file.ts';
import { wrapManifest } from './wrap-manifest.ts';

/** Type of file under which a GIF is signed. */
const GIF_CONTENT_TYPE = 'image/gif';

/**
 * Signs a GIF of version 89a in place, through one buffer of 1 MiB. Signing must be the last change
 * of the file, so its XMP must be written before.
 * @throws Error for a file that is not a GIF
 */
export async function signGif(
  filePath: string,
  signer: ManifestSigner,
  origin: Origin,
): Promise<WrittenFile> {
  return await rewriteFile(filePath, async function* ({ file, sizeBytes, copy }) {
    const at = await endOfPalette(file);
    const hash = createHash('sha256');
    for await (const piece of copy(0, sizeBytes)) hash.update(piece);
    const content = { ...origin, contentType: GIF_CONTENT_TYPE } as const;
    const manifest = await signer.sign({ ...content, mediaSha256: hash.digest(), at });
    yield* copy(0, at);
    yield wrapManifest(GIF_CONTENT_TYPE, manifest);
    yield* copy(at, sizeBytes);
  });
}

import { readSmallWebp } from '../tasks/small-webp.ts';

/** Largest preview of an answer, bytes. */
const MAX_PREVIEW_BYTES = 1_000_000;

/** Presents a small picture of a file as a data URL, if there is one. @param preview in base64 */
export function presentPreview({ preview }: { readonly preview?: string }): { readonly preview?: string } {
  const webp = readSmallWebp(preview, MAX_PREVIEW_BYTES);
  return webp === null ? {} : { preview: `data:image/webp;base64,${webp.toString('base64')}` };
}

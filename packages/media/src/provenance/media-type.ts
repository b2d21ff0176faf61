import { CLIP_FORMATS, canWrite } from '@guise/contract/formats.ts';
import { open } from 'node:fs/promises';
import { IMAGE_FORMATS } from '@guise/contract/formats.ts';
import { sniffImage } from '../image/sniff.ts';
import { sniffContainer } from '../video/container.ts';

/** Bytes at the start of a file from which its type is found. */
const HEAD_BYTES = 4096;

/**
 * Finds the type of a picture, video or animation from its first bytes. Names and declared types
 * are ignored.
 * @returns a content type such as `image/png` or `video/mp4`; null for a type that cannot say how
 * it was made
 * @throws the file system's own error if the file cannot be read
 */
export async function readMediaType(filePath: string): Promise<string | null> {
  await using file = await open(filePath, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  // Checks for stills first, because an AVIF or HEIC file begins like an MP4.
  const still = sniffImage(head);
  if (still !== null) return IMAGE_FORMATS[still].contentType;
  const container = sniffContainer(head);
  // guise does not make the other containers, and they carry no credentials.
  return container === null || !canWrite(container) ? null : CLIP_FORMATS[container].contentType;
}

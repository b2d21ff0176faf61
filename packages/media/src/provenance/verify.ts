import type { C2paVerdict } from './c2pa-report.ts';
import { readProvenance } from './read-provenance.ts';
import { verifyCredentials, type VerifyOptions } from './verify-credentials.ts';
import { type ReadWatermark, readWatermark } from '../watermark/read-watermark.ts';
import type { Provenance } from '../xmp/xmp.ts';

export interface FileVerdict {
  /**
   * What the file's XMP says; null if it names no source type, or if guise does not read XMP in
   * this type.
   */
  xmp: Provenance | null;
  /** Verdict on the content credentials; null for a type that cannot carry them. */
  c2pa: C2paVerdict | null;
  /** The invisible watermark; null if none was found. */
  watermark: ReadWatermark | null;
}

/**
 * Reads how an untrusted file says it was made: its XMP, its content credentials and its watermark.
 * Nothing is fetched from the network.
 *
 * Takes a thread and up to twice the file's size of memory, so the caller limits how many run at
 * once.
 * @throws MediaError UNSUPPORTED for a file that is too large, TIMEOUT; the file system's own error
 * for a missing file
 */
export async function verifyFile(
  filePath: string,
  contentType: string,
  options: VerifyOptions = {},
): Promise<FileVerdict> {
  const c2pa = await verifyCredentials(filePath, contentType, options);
  const xmp = await readXmp(filePath);
  return { xmp, c2pa, watermark: await readWatermark(filePath, contentType) };
}

/** Reads a file's XMP. Returns null for a file that is too damaged to have a packet. */
async function readXmp(filePath: string): Promise<Provenance | null> {
  try {
    return await readProvenance(filePath);
  } catch {
    return null;
  }
}

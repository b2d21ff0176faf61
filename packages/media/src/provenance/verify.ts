import { stat } from 'node:fs/promises';
import { MediaError } from '../media-error.ts';
import { verdictOf, verdictOfFailure, type C2paVerdict } from './c2pa-report.ts';
import { readProvenance } from './read-provenance.ts';
import { C2paError, CredentialsThread } from './read-credentials.ts';
import type { Provenance } from '../xmp/xmp.ts';

export interface FileVerdict {
  /**
   * null: the file has no XMP that names a source type, or it is of a type in which we do not look
   * for it.
   */
  xmp: Provenance | null;
  /** null: a type that cannot carry credentials. */
  c2pa: C2paVerdict | null;
}

export interface VerifyOptions {
  /** PEM certificates of those who are believed, such as `SigningIdentity.trustAnchorPem`. */
  trustAnchorsPem?: string;
  maxBytes?: number;
  timeoutMs?: number;
  /**
   * Reads the credentials; absent: one is started for this file. It ends with this call either way.
   */
  thread?: Promise<CredentialsThread>;
}

const MEBIBYTE = 1024 * 1024;
/** c2pa-wasm's memory bound holds this twice, which it needs. */
const MAX_BYTES = 190 * MEBIBYTE;
const TIMEOUT_MS = 20_000;

const CREDENTIAL_TYPES = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/heif',
  'image/avif',
  'video/mp4',
  'video/quicktime',
]);

export function canCarryCredentials(contentType: string): boolean {
  return CREDENTIAL_TYPES.has(contentType);
}

/**
 * Reads back how a file says it was made: its XMP and its content credentials, from bytes that
 * nobody vouches for. Takes a thread, and memory up to twice the file's size, for as long as it
 * runs: the caller bounds how many at once. Nothing is fetched from the network, whatever the file
 * says.
 * @throws MediaError UNSUPPORTED for a file that is too large, TIMEOUT; the file system's own error
 * for a missing one
 */
export async function verifyFile(
  filePath: string,
  contentType: string,
  options: VerifyOptions = {},
): Promise<FileVerdict> {
  const { trustAnchorsPem, maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS } = options;
  const sizeBytes = (await stat(filePath)).size;
  if (sizeBytes > maxBytes) {
    throw new MediaError(
      'UNSUPPORTED',
      `Files of more than ${Math.floor(maxBytes / MEBIBYTE)} MiB are not verified.`,
    );
  }
  const xmp = await readXmp(filePath);
  if (!canCarryCredentials(contentType)) return { xmp, c2pa: null };
  const file = { path: filePath, contentType, sizeBytes, trustAnchorsPem: trustAnchorsPem ?? null };
  try {
    await using thread = await (options.thread ?? CredentialsThread.start());
    return { xmp, c2pa: verdictOf(await thread.read(file, timeoutMs)) };
  } catch (error) {
    if (error instanceof C2paError) return { xmp, c2pa: verdictOfFailure(error.message) };
    throw error;
  }
}

/** A file that is too damaged to look for a packet in says nothing. */
async function readXmp(filePath: string): Promise<Provenance | null> {
  try {
    return await readProvenance(filePath);
  } catch {
    return null;
  }
}

import { stat } from 'node:fs/promises';
import { MediaError } from '../media-error.ts';
import { verdictOf, verdictOfFailure, type C2paVerdict } from './c2pa-report.ts';
import { C2paError, CredentialsThread } from './read-credentials.ts';
import type { CredentialsFile } from './read-credentials-thread.ts';

export interface VerifyOptions {
  /** PEM certificates of trusted signers, such as `SigningIdentity.trustAnchorPem`. */
  trustAnchorsPem?: string;
  maxBytes?: number;
  timeoutMs?: number;
  /**
   * Thread that reads the credentials. Default: a new thread for this file. The thread ends with
   * this call.
   */
  thread?: Promise<CredentialsThread>;
}

/** Bytes in one MiB. */
const MEBIBYTE = 1024 * 1024;

/**
 * Largest file that is verified. c2pa-wasm holds a file of this size twice within its memory limit.
 */
const MAX_VERIFIED_BYTES = 190 * MEBIBYTE;

/** Longest time that reading the credentials may take. */
const READ_TIMEOUT_MS = 20_000;

/** Content types in which guise looks for content credentials. */
const CREDENTIAL_CONTENT_TYPES = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/heif',
  'image/avif',
  'video/mp4',
  'video/quicktime',
]);

/** Returns whether files of a type can carry content credentials. */
export function canCarryCredentials(contentType: string): boolean {
  return CREDENTIAL_CONTENT_TYPES.has(contentType);
}

/**
 * Reads and verifies the content credentials of an untrusted file, without decoding its pictures.
 * Takes a thread and up to twice the file's size of memory.
 * @returns null for a type that cannot carry credentials
 * @throws MediaError UNSUPPORTED for a file that is too large, TIMEOUT; the file system's own error
 * for a missing file
 */
export async function verifyCredentials(
  filePath: string,
  contentType: string,
  options: VerifyOptions = {},
): Promise<C2paVerdict | null> {
  const { trustAnchorsPem, maxBytes = MAX_VERIFIED_BYTES, timeoutMs = READ_TIMEOUT_MS } = options;
  const sizeBytes = (await stat(filePath)).size;
  if (sizeBytes > maxBytes) {
    throw new MediaError(
      'UNSUPPORTED',
      `Files of more than ${Math.floor(maxBytes / MEBIBYTE)} MiB are not verified.`,
    );
  }
  if (!canCarryCredentials(contentType)) return null;
  const file = { path: filePath, contentType, sizeBytes, trustAnchorsPem: trustAnchorsPem ?? null };
  return await readCredentials(file, options.thread ?? CredentialsThread.start(), timeoutMs);
}

async function readCredentials(
  file: CredentialsFile,
  starting: Promise<CredentialsThread>,
  timeoutMs: number,
): Promise<C2paVerdict> {
  try {
    await using thread = await starting;
    return verdictOf(await thread.read(file, timeoutMs));
  } catch (error) {
    if (error instanceof C2paError) return verdictOfFailure(error.message);
    throw error;
  }
}

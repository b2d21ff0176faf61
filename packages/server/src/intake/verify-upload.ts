import type { Verification } from '@guise/contract/ai-tasks/verification.ts';
import { type MediaField, mediaFormatList } from '@guise/contract/ai-tasks/form.ts';
import { AppError, fieldError } from '@guise/contract/errors.ts';
import { MediaError } from '@guise/media/media-error.ts';
import { readMediaType } from '@guise/media/provenance/media-type.ts';
import type { SignerCertificate } from '@guise/media/provenance/signing-identity.ts';
import { verifyFileIsolated } from '@guise/media/provenance/verify-isolated.ts';
import type { UploadedFile } from './read-form.ts';
import { type Requester, FairLimiter } from './fair-limiter.ts';
import { trustAnchors, verificationOf } from './verification.ts';

/**
 * Limits the number of concurrent readers. Each is a child process that may take 700 MB for a large
 * file.
 */
const verifyLimiter = new FairLimiter(2);

/**
 * Checks that an upload has a known media type. @returns its content type.
 * @throws AppError INVALID_FORMAT naming the field.
 */
export async function requireMedia(
  { name, path, sizeBytes }: UploadedFile,
  { formats }: MediaField,
): Promise<string> {
  if (sizeBytes === 0) throw fieldError('INVALID_FORMAT', name, 'is an empty file.');
  const contentType = await readMediaType(path);
  if (contentType !== null) return contentType;
  throw fieldError('INVALID_FORMAT', name, `must be of type ${mediaFormatList(formats)}.`);
}

/**
 * Reads how an uploaded file was made, in a child process: a hostile file can only make the reading
 * fail.
 * @param contentType from `requireMedia`
 * @param own certificates with which this installation signs or signed
 * @param knows tells whether the id of a watermark is in the records of this installation
 * @throws AppError INVALID_FORMAT for a file that takes too much time or memory; the signal's
 * reason.
 */
export async function verifyUpload(
  { name, fileName, path, sizeBytes, sha256 }: UploadedFile,
  contentType: string,
  own: readonly SignerCertificate[],
  knows: (id: string) => Promise<boolean>,
  requester: Requester,
): Promise<Verification> {
  const options = {
    ...trustAnchors(own),
    signal: requester.signal,
    isolation: { isOurFile: true },
  };
  try {
    const verdict = await verifyLimiter.run(() => verifyFileIsolated(path, contentType, options), requester);
    const isOwnWatermark = verdict.watermark === null ? null : await knows(verdict.watermark.id);
    const facts = { name: fileName, contentType, bytes: sizeBytes, sha256 };
    return verificationOf(facts, verdict, own, isOwnWatermark);
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    const sentence = error.message.replace(/\b[Tt]he (file|content credentials)\b/, name);
    throw new AppError(
      'INVALID_FORMAT',
      sentence.startsWith(name) ? sentence : `${name}: ${sentence}`,
      { field: name },
      error,
    );
  }
}

import type { FastifyReply } from 'fastify';
import type { FormDeclaration, MediaField } from '@guise/contract/ai-tasks/form.ts';
import type { Verification } from '@guise/contract/ai-tasks/verification.ts';
import { invalidField } from '@guise/contract/errors.ts';
import type { ReadForm, UploadedFile } from '../../intake/read-form.ts';
import { requireMedia, verifyUpload } from '../../intake/verify-upload.ts';
import { knowsWatermark } from '../../storage/watermarks.ts';
import { readOwnCertificates } from '../../signing/own-certificates.ts';
import { abortWhenUnwanted, gaveUp } from './abort-when.ts';
import type { HttpDeps } from './deps.ts';

/**
 * Longest time for a verification. A file of 95 MiB takes some seconds; the rest is for waiting in
 * the queue.
 */
const MAX_WAIT_MS = 60_000;

/** A file to verify, whose type is known. */
interface CheckedFile {
  readonly file: UploadedFile;
  readonly contentType: string;
}

/**
 * Returns the file of a form for verifications.
 * @throws AppError INVALID_REQUEST if there is none, INVALID_FORMAT if its type is unknown.
 */
export async function checkFile(
  { files }: ReadForm,
  { fields }: FormDeclaration<MediaField>,
): Promise<CheckedFile> {
  const [field] = fields;
  const file = files.get(field!.name);
  if (file === undefined) throw invalidField(field!.name, 'is missing.');
  return { file, contentType: await requireMedia(file, field!) };
}

/**
 * Reads how a file was made. The reading ends when the client leaves.
 * @param accountId whose turn it is among all verifications
 * @throws AppError INVALID_FORMAT, or BUSY if it takes too long. @throws ClientGone
 */
export async function runVerification(
  deps: HttpDeps,
  { file, contentType }: CheckedFile,
  accountId: string,
  reply: FastifyReply,
): Promise<Verification> {
  return await abortWhenUnwanted(deps, reply, async (gone) => {
    const signal = AbortSignal.any([gone, AbortSignal.timeout(MAX_WAIT_MS)]);
    try {
      const { pool } = deps.readDatabase;
      const own = await readOwnCertificates(deps.config, pool);
      const knows = (id: string): Promise<boolean> => knowsWatermark(pool, id);
      return await verifyUpload(file, contentType, own, knows, { accountId, signal });
    } catch (error) {
      throw signal.aborted ? gaveUp(reply, 'look at the file') : error;
    }
  });
}

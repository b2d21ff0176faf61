import type { FastifyReply } from 'fastify';
import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import type { V1Quote } from '@guise/contract/v1/schemas.ts';
import type { RememberedAnswer } from '../../tasks/idempotency.ts';
import type { DetectedImage } from '../../tasks/task.ts';
import { answerOnce } from '../common/idempotency.ts';
import { presentFaces } from '../../present/present-faces.ts';
import { runDetection } from '../common/run-detection.ts';
import { warnOfField } from '@guise/contract/warnings.ts';
import { warnOfEach, warnOfImage } from '../common/warnings.ts';
import type { HttpDeps } from '../common/deps.ts';
import type { TakenBody } from '../../intake/take-json.ts';
import type { CheckedRequest } from './check-request.ts';

/** Parts of a request that a quote needs. */
type QuotedRequest = Pick<CheckedRequest, 'caller' | 'idempotency'> & {
  readonly taken: Pick<TakenBody, 'files' | 'discard'>;
};

/**
 * Answers `?dryRun=true` with the price and the faces in the images. No visible task is created.
 */
export async function answerQuote(
  deps: HttpDeps,
  { caller, taken, idempotency }: QuotedRequest,
  credits: number,
  reply: FastifyReply,
  faceIndex?: number,
): Promise<RememberedAnswer> {
  try {
    return await answerOnce(deps.database, caller.id, idempotency, async (): Promise<V1Quote> => {
      const stills = taken.files.filter((file) => file.durationSeconds === undefined);
      const images = await runDetection(deps, { accountId: caller.id, interface: 'v1' }, stills, reply);
      return {
        dryRun: true,
        credits_estimated: credits,
        faces: Object.fromEntries(images.map((image) => [image.field, presentFaces(image)])),
        warnings: warningsOf(images, faceIndex),
      };
    });
  } finally {
    await taken.discard();
  }
}

/**
 * Makes the warnings about the images. If an index names a face of the target, only that face is
 * checked.
 */
function warningsOf(images: readonly DetectedImage[], faceIndex: number | undefined): Warning[] {
  if (faceIndex === undefined) return warnOfEach(images);
  const target = images.find(({ field }) => field === 'target_image')?.faces[faceIndex];
  return images.flatMap((image) => {
    if (image.field !== 'target_image') return warnOfImage(image, target);
    if (target !== undefined) return warnOfField('target_image', 'target', target);
    const message = `target_image has no face with face_index ${faceIndex}; it has ${image.faces.length}.`;
    return [{ field: 'target_image', code: 'FACE_NOT_FOUND', message }];
  });
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { VERIFY_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { Quote } from '@guise/contract/ai-tasks/schemas.ts';
import type { Verification } from '@guise/contract/ai-tasks/verification.ts';
import { digestOfForm, discardForm, type ReadForm } from '../../intake/read-form.ts';
import type { RememberedAnswer } from '../../tasks/idempotency.ts';
import type { HttpDeps } from '../common/deps.ts';
import { callerOf } from '../plugins/admission.ts';
import { answerOnce, findEarlier, idempotentRequest, readIdempotencyKey } from '../common/idempotency.ts';
import { readDryRun } from '../common/query.ts';
import { checkFile, runVerification } from '../common/run-verification.ts';
import { readUpload } from '../plugins/read-upload.ts';

/** Quote for a verification, which is free and detects no faces. */
const FREE_QUOTE: Quote = { dryRun: true, requiredCredits: 0, faces: {}, warnings: [] };

/**
 * Handles POST on `/api/ai-tasks/verify`. The file is read in the scratch folder and deleted before
 * the answer.
 */
export function postVerification(deps: HttpDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const answer = await answerOf(deps, request, reply);
    return reply.code(answer.status).send(answer.body);
  };
}

async function answerOf(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RememberedAnswer> {
  const accountId = callerOf(request).id;
  const dryRun = readDryRun(request);
  const key = readIdempotencyKey(request);
  const form = await readUpload(deps, VERIFY_FORM, accountId, request, reply);
  const idempotency = key === null ? null : idempotentRequest(key, request, digestOfForm(form));
  const earlier = await findEarlier(deps.database, accountId, idempotency, () => discardForm(form));
  if (earlier !== null) return earlier;
  try {
    return await answerOnce(deps.database, accountId, idempotency, () =>
      verification(deps, form, { accountId, dryRun }, reply),
    );
  } finally {
    await discardForm(form);
  }
}

async function verification(
  deps: HttpDeps,
  form: ReadForm,
  { accountId, dryRun }: { readonly accountId: string; readonly dryRun: boolean },
  reply: FastifyReply,
): Promise<Verification | Quote> {
  const file = await checkFile(form, VERIFY_FORM);
  return dryRun ? FREE_QUOTE : await runVerification(deps, file, accountId, reply);
}

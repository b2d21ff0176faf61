import type { FastifyReply, FastifyRequest } from 'fastify';
import { V1_LIMITS } from '@guise/contract/limits.ts';
import { PLAN_LIMITS } from '@guise/contract/plans.ts';
import type { BodyDeclaration } from '@guise/contract/v1/body.ts';
import type { BodyLimits } from '../../intake/json-body-reader.ts';
import { discardBody } from '../../intake/read-json.ts';
import { type JsonIntakeDeps, openJson, takeBody, type TakenBody } from '../../intake/take-json.ts';
import { type IdempotentRequest, isKeyKnown, type RememberedAnswer } from '../../tasks/idempotency.ts';
import type { AdmittedAccount } from '../../accounts/admit.ts';
import { findEarlier, idempotentRequest, readIdempotencyKey } from '../common/idempotency.ts';
import { abortWhenClientLeaves } from '../common/abort-when.ts';
import { readDryRun } from '../common/query.ts';
import { refuseBeyondAccount } from '../plugins/refuse-beyond-account.ts';
import { withUpload } from '../plugins/with-upload.ts';
import type { HttpDeps } from '../common/deps.ts';
import { callerOf } from '../plugins/admission.ts';

/** A POST that passed all checks. */
export interface CheckedRequest<Body extends BodyDeclaration = BodyDeclaration> {
  readonly caller: AdmittedAccount;
  readonly dryRun: boolean;
  readonly idempotency: IdempotentRequest | null;
  readonly taken: TakenBody<Body>;
}

/** A POST that was answered before. Its media have not been checked. */
export interface Replay {
  readonly caller: AdmittedAccount;
  readonly idempotency: IdempotentRequest | null;
  readonly earlier: RememberedAnswer;
}

/** Facts from the head of a POST, known before a body of up to 750 MiB is read. */
export interface PostHead {
  readonly caller: AdmittedAccount;
  readonly dryRun: boolean;
  /** Whether its `Idempotency-Key` was used before, by the same or another request. */
  readonly isKeyKnown: boolean;
}

/** Limits of the largest plan, used for replays. */
const OF_ANY_PLAN: BodyLimits = { maxImages: V1_LIMITS.batchImages };

/**
 * Reads and checks a POST. @param refuse refuses requests based on the head. @throws AppError,
 * ClientGone; all files are deleted in that case.
 */
export async function checkRequest<Body extends BodyDeclaration>(
  deps: HttpDeps,
  declaration: Body,
  request: FastifyRequest,
  reply: FastifyReply,
  refuse: (head: PostHead) => Promise<void> = async () => {},
): Promise<CheckedRequest<Body> | Replay> {
  const caller = callerOf(request);
  const dryRun = readDryRun(request);
  const key = readIdempotencyKey(request);
  const known = key !== null && (await isKeyKnown(deps.database, caller.id, key));
  if (!dryRun && !known) await refuseBeyondAccount(deps, request, reply);
  await refuse({ caller, dryRun, isKeyKnown: known });
  const intake = intakeOf(deps);
  const ofPlan: BodyLimits = { maxImages: PLAN_LIMITS[caller.plan].imagesPerBatch };
  // A replay may exceed the current plan, because the plan may have changed.
  const limits = known ? OF_ANY_PLAN : ofPlan;
  const { digest, body } = await withUpload(
    deps,
    request,
    reply,
    { accountId: caller.id, maxBytes: declaration.maxBodyBytes },
    (room) => openJson(request.raw, declaration, limits, intake, room),
  );
  const idempotency = key === null ? null : idempotentRequest(key, request, digest);
  const earlier = await findEarlier(deps.database, caller.id, idempotency, () => discardBody(body));
  if (earlier !== null) return { caller, idempotency, earlier };
  const taken = await abortWhenClientLeaves(reply, (signal) =>
    takeBody(body, declaration, { accountId: caller.id, signal }, ofPlan, intake),
  );
  return { caller, dryRun, idempotency, taken };
}

function intakeOf({ config, database, storage, client }: HttpDeps): JsonIntakeDeps {
  return {
    pool: database.pool,
    storage,
    client,
    allowPrivateUrls: config.allowPrivateUrls,
    maxImagePixels: config.maxImagePixels,
  };
}

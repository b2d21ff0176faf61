import type { FastifyReply, FastifyRequest } from 'fastify';
import { PLAN_LIMITS } from '@guise/contract/plans.ts';
import type { BodyDeclaration } from '@guise/contract/v1/body.ts';
import type { Scalar } from '../../intake/json-scalar.ts';
import { discardBody } from '../../intake/read-json.ts';
import { type JsonIntakeDeps, openJson, takeMedia, type TakenBody } from '../../intake/take-json.ts';
import {
  findRememberedAnswer,
  type IdempotentRequest,
  type RememberedAnswer,
} from '../../tasks/idempotency.ts';
import type { AdmittedAccount } from '../../accounts/admit.ts';
import { idempotentRequest, readIdempotencyKey } from '../common/idempotency.ts';
import { whileThere } from '../common/patience.ts';
import { readDryRun } from '../common/query.ts';
import type { HttpDeps } from '../deps.ts';
import { callerOf } from '../plugins/admission.ts';
import { sendContinue } from '../plugins/drain.ts';

/** A POST whose every rule holds. */
export interface Posting {
  readonly caller: AdmittedAccount;
  readonly dryRun: boolean;
  readonly values: Readonly<Record<string, Scalar>>;
  readonly idempotency: IdempotentRequest | null;
  readonly media: TakenBody;
}

/** A POST that was answered before: its media were not even looked at. */
export interface Replay {
  readonly caller: AdmittedAccount;
  readonly idempotency: IdempotentRequest;
  readonly earlier: RememberedAnswer;
}

/** What its head says of a POST, before a body of up to 750 MiB is read. */
export interface PostHead {
  readonly caller: AdmittedAccount;
  readonly dryRun: boolean;
  /** The `Idempotency-Key`; null: none. */
  readonly key: string | null;
}

/** Reads and checks a POST. @param refuse what can be refused by its head alone. @throws AppError, ClientGone; nothing is left behind then. */
export async function takePosting(
  deps: HttpDeps,
  declaration: BodyDeclaration,
  request: FastifyRequest,
  reply: FastifyReply,
  refuse: (head: PostHead) => Promise<void> = async () => {},
): Promise<Posting | Replay> {
  const caller = callerOf(request);
  const dryRun = readDryRun(request);
  const key = readIdempotencyKey(request);
  await refuse({ caller, dryRun, key });
  sendContinue(request.raw, reply.raw);
  const intake = intakeOf(deps);
  const maxImages = PLAN_LIMITS[caller.plan].imagesPerBatch;
  const { values, digest, body } = await openJson(request.raw, declaration, { maxImages }, intake);
  const idempotency = key === null ? null : idempotentRequest(key, request, digest);
  if (idempotency !== null) {
    let earlier: RememberedAnswer | null;
    try {
      earlier = await findRememberedAnswer(deps.database, caller.id, idempotency);
    } catch (error) {
      await discardBody(body);
      throw error;
    }
    if (earlier !== null) {
      await discardBody(body);
      return { caller, idempotency, earlier };
    }
  }
  const media = await whileThere(reply, (signal) => takeMedia(body, declaration, caller.id, intake, signal));
  return { caller, dryRun, values, idempotency, media };
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

import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import type { Plan } from '@guise/contract/plans.ts';
import type { Prices } from '@guise/contract/prices.ts';
import { consentOf } from '../../faces/consent.ts';
import { idsOf } from '../../intake/take-faces.ts';
import type { TakenBody } from '../../intake/take-json.ts';
import type { BodyDeclaration } from '@guise/contract/v1/body.ts';
import { toJobId } from '../../present/v1/job-id.ts';
import type { RememberedAnswer } from '../../tasks/idempotency.ts';
import { createOrDiscard } from '../common/create-or-discard.ts';
import type { HttpDeps } from '../common/deps.ts';
import { refundRate } from '../plugins/admission.ts';
import { newTaskOf, type Order } from './orders.ts';
import { type PostHead, type CheckedRequest, checkRequest } from './check-request.ts';
import { answerQuote } from './quote.ts';

/**
 * Handles the POST of a video or batch swap: answers 202 with a job, or a quote if `?dryRun=true`.
 */
export function postJob<Body extends BodyDeclaration>(
  deps: HttpDeps,
  declaration: Body,
  orderOf: (checked: CheckedRequest<Body>, prices: Prices, plan: Plan) => Order,
  refuse?: (head: PostHead) => Promise<void>,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      const checked = await checkRequest(deps, declaration, request, reply, refuse);
      const { status, body } =
        'earlier' in checked ? checked.earlier : await answer(deps, checked, orderOf, reply);
      return reply.code(status).send(body);
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONCURRENT_BATCH_LIMIT') {
        await refundRate(deps.database, request, reply);
      }
      throw error;
    }
  };
}

async function answer<Body extends BodyDeclaration>(
  deps: HttpDeps,
  checked: CheckedRequest<Body>,
  orderOf: (checked: CheckedRequest<Body>, prices: Prices, plan: Plan) => Order,
  reply: FastifyReply,
): Promise<RememberedAnswer> {
  const { caller, taken, idempotency } = checked;
  const order = await orderOrDiscard(deps, checked, () => orderOf(checked, deps.config.prices, caller.plan));
  if (checked.dryRun) return answerQuote(deps, checked, order.costCredits, reply);
  return createOrDiscard(deps.database, newTaskOf(order, caller.id), taken, idempotency, (taskId) => ({
    status: 202,
    body: acceptance(taskId, order),
  }));
}

/**
 * Makes the order of a request, with the engine that it names. If that fails, deletes its files.
 * @throws AppError of `orderOf`; as `Engines.choose`; CONSENT_REQUIRED
 */
export async function orderOrDiscard(
  deps: HttpDeps,
  { taken, caller }: Pick<CheckedRequest, 'caller'> & { readonly taken: CommonWishes },
  orderOf: () => Order,
): Promise<Order> {
  try {
    const order = await deps.engines.choose(orderOf(), taken.values.engine, caller.plan);
    const asked = { plan: caller.plan, plans: deps.config.consentPlans };
    const consent = consentOf(taken.values.consent, taken.savedFaces, order.work, asked);
    const parameters = { ...order.parameters, ...(consent !== undefined && { consent }) };
    return { ...order, parameters, faces: idsOf(taken.savedFaces) };
  } catch (error) {
    await taken.discard();
    throw error;
  }
}

/** What all bodies have in common. */
interface CommonWishes extends Pick<TakenBody, 'discard' | 'savedFaces'> {
  readonly values: { readonly engine?: string | undefined; readonly consent?: string | undefined };
}

/** Presents the acceptance of a job (docs/spec/v1#job-acceptance). */
function acceptance(taskId: string, { costCredits, parameters }: Order): unknown {
  const { estimated_time, total_images } = parameters;
  const job = { success: true, job_id: toJobId(taskId), status: 'processing' };
  const credits_estimated = costCredits;
  return total_images === undefined
    ? { ...job, estimated_time, progress: 0, credits_estimated }
    : { ...job, total_images, completed: 0, failed: 0, estimated_time, credits_estimated };
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Plan } from '@guise/contract/plans.ts';
import type { Prices } from '@guise/contract/prices.ts';
import type { BodyDeclaration } from '@guise/contract/v1/body.ts';
import { toJobId } from '../../present/v1/job-id.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { RememberedAnswer } from '../../tasks/idempotency.ts';
import type { HttpDeps } from '../deps.ts';
import type { Order } from './orders.ts';
import { type Posting, takePosting } from './posting.ts';
import { answerQuote } from './quote.ts';

/** POST of a video or batch swap: 202 with a job, or with `?dryRun=true` a quote. */
export function postJob(
  deps: HttpDeps,
  declaration: BodyDeclaration,
  orderOf: (posting: Posting, prices: Prices, plan: Plan) => Order,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const posting = await takePosting(deps, declaration, request, reply);
    const { status, body } =
      'earlier' in posting ? posting.earlier : await answer(deps, posting, orderOf, reply);
    return reply.code(status).send(body);
  };
}

async function answer(
  deps: HttpDeps,
  posting: Posting,
  orderOf: (posting: Posting, prices: Prices, plan: Plan) => Order,
  reply: FastifyReply,
): Promise<RememberedAnswer> {
  const { caller, media, idempotency } = posting;
  const order = orderOf(posting, deps.config.prices, caller.plan);
  if (posting.dryRun) return answerQuote(deps, posting, order.costCredits, reply);
  const accepted = (taskId: string): RememberedAnswer => ({ status: 202, body: acceptance(taskId, order) });
  let created = false;
  try {
    const { task, replay } = await createTask(
      deps.database,
      { ...order, parameters: { ...order.parameters }, accountId: caller.id, interface: 'v1' },
      idempotency === null ? undefined : { ...idempotency, answer: accepted },
    );
    if (task === null) return replay;
    created = true;
    return accepted(task.id);
  } finally {
    if (!created) await media.discard();
  }
}

/** Spec: Video job acceptance, Batch job acceptance. */
function acceptance(taskId: string, { costCredits, parameters }: Order): unknown {
  const { estimated_time, total_images } = parameters;
  const job = { success: true, job_id: toJobId(taskId), status: 'processing' };
  const credits_estimated = costCredits;
  return total_images === undefined
    ? { ...job, estimated_time, progress: 0, credits_estimated }
    : { ...job, total_images, completed: 0, failed: 0, estimated_time, credits_estimated };
}

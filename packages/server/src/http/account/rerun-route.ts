import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RerunBody, rerunSchema, type TaskDetailBody } from '@guise/contract/account/own.ts';
import { AppError } from '@guise/contract/errors.ts';
import { consentOf } from '../../faces/consent.ts';
import { facesOfTask } from '../../faces/saved-face.ts';
import { copyInputs } from '../../intake/copy-inputs.ts';
import { discardInputs } from '../../intake/discard-inputs.ts';
import { createTask } from '../../tasks/create-task.ts';
import { findOwnTask, type OwnTask, type StoredOrder } from '../../tasks/own/find-own-task.ts';
import { priceOf } from '../../tasks/price-of.ts';
import type { NewTask, WorkSpec } from '../../tasks/task.ts';
import { inputsOf, mapInputs } from '../../tasks/work-inputs.ts';
import type { HttpDeps } from '../common/deps.ts';
import { admitOwnPost } from '../plugins/admission.ts';
import { refuseBeyondAccount } from '../plugins/refuse-beyond-account.ts';
import { accountOf, sessionOf } from './common/guard.ts';
import { readId } from '../common/page-query.ts';

/**
 * Adds the route that runs a task's order again as a new task. The new task waits, costs and counts
 * like any other.
 */
export function addRerunRoute(app: FastifyInstance, deps: HttpDeps): void {
  const { database } = deps;
  const store = { pool: database.pool, storage: deps.storage };
  app.post(
    '/account/tasks/:id/rerun',
    { schema: { response: { 201: rerunSchema } } },
    async (request, reply) => {
      const { accountId } = sessionOf(request);
      await admitOwnPost(database, accountId, request, reply);
      await refuseBeyondAccount(deps, request, reply);
      const own = await findOwnTask(database, accountId, readId(request));
      const order = own === null ? null : rerunnable(own);
      if (own === null || order === null) throw notStored();
      const inputs = inputsOf(order.work);
      const copies = await copyInputs(inputs, accountId, store);
      if (copies === null) throw notStored();
      const copyOf = new Map(inputs.map(({ objectKey }, index) => [objectKey, copies[index]!]));
      try {
        const { work, costCredits } = await chosenAgain(deps, request, own, order);
        const newTask: NewTask = {
          accountId,
          interface: own.task.interface,
          type: own.task.type,
          lane: order.lane,
          parameters: own.task.parameters,
          work: mapInputs(work, ({ objectKey }) => copyOf.get(objectKey)!),
          costCredits,
          faces: await facesOfTask(database.pool, own.task.id),
        };
        const { task } = await createTask(database, newTask);
        return reply.code(201).send({ taskId: task!.id } satisfies RerunBody);
      } catch (error) {
        await discardInputs(copies, store);
        throw error;
      }
    },
  );
}

/**
 * Returns what it would cost to run a task again; null if it cannot, also because its engine is not
 * to be had now.
 */
export async function presentRerun(
  deps: HttpDeps,
  request: FastifyRequest,
  own: OwnTask,
): Promise<TaskDetailBody['rerun']> {
  const order = rerunnable(own);
  if (order === null) return null;
  try {
    const { costCredits } = await chosenAgain(deps, request, own, order);
    return { costCredits, until: order.inputsUntil?.toISOString() ?? null };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Returns the work of a task with what draws it now, and its price now. */
async function chosenAgain(
  deps: HttpDeps,
  request: FastifyRequest,
  { task }: OwnTask,
  { work }: StoredOrder,
): Promise<{ readonly work: WorkSpec; readonly costCredits: number }> {
  const { plan } = await accountOf(deps, request);
  // What was accepted before the operator asked for consent does not run again without it.
  const { consent } = task.parameters as { readonly consent?: string };
  consentOf(consent, new Map(), work, { plan, plans: deps.config.consentPlans });
  const priced = { work, costCredits: priceOf(work, deps.config.prices) };
  return deps.engines.choose(priced, task.parameters.engine as string | undefined, plan);
}

/**
 * Returns the order if it can run again. A v1 task cannot: its webhook would go to a program that
 * does not know the new task.
 */
function rerunnable({ task, order }: OwnTask): StoredOrder | null {
  return task.interface === 'v1' ? null : order;
}

/**
 * Returns one error for a task that is unknown, of another account or without its files, so that
 * nobody learns which it is.
 */
function notStored(): AppError {
  return new AppError('NOT_FOUND', 'There is no such task whose files are still stored.');
}

import type { FastifyInstance } from 'fastify';
import { type RerunBody, rerunSchema, type TaskDetailBody } from '@guise/contract/account/own.ts';
import { AppError } from '@guise/contract/errors.ts';
import type { Config } from '../../config/config.ts';
import { copyInputs } from '../../intake/copy-inputs.ts';
import { discardInputs } from '../../intake/discard-inputs.ts';
import { partsOfKey } from '../../networks/network-key.ts';
import { createTask } from '../../tasks/create-task.ts';
import { findOwnTask, type OwnTask, type StoredOrder } from '../../tasks/own/find-own-task.ts';
import { priceOf } from '../../tasks/price-of.ts';
import { networksOf, type NewTask } from '../../tasks/task.ts';
import { inputsOf, mapInputs } from '../../tasks/work-inputs.ts';
import type { HttpDeps } from '../common/deps.ts';
import { admitOwnPost } from '../plugins/admission.ts';
import { refuseBeyondAccount } from '../plugins/refuse-beyond-account.ts';
import { ERRORS } from './common/error-answers.ts';
import { accountOf, sessionOf, signedIn } from './common/guard.ts';
import { readId } from '../common/page-query.ts';

/**
 * Adds the route that runs a task's order again as a new task. The new task waits, costs and counts
 * like any other.
 */
export function addRerunRoute(app: FastifyInstance, deps: HttpDeps): void {
  const { database, config } = deps;
  const store = { pool: database.pool, storage: deps.storage };
  const onRequest = signedIn(deps);
  app.post(
    '/account/tasks/:id/rerun',
    { onRequest, schema: { response: { 201: rerunSchema, ...ERRORS } } },
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
      const { parameters } = own.task;
      const newTask: NewTask = {
        accountId,
        interface: own.task.interface,
        type: own.task.type,
        lane: order.lane,
        parameters,
        work: mapInputs(order.work, ({ objectKey }) => copyOf.get(objectKey)!),
        costCredits: priceOf(order.work, config.prices),
      };
      try {
        const { plan } = await accountOf(deps, request);
        const chosen = await deps.engines.choose(newTask, parameters.engine as string | undefined, plan);
        const { task } = await createTask(database, chosen);
        return reply.code(201).send({ taskId: task!.id } satisfies RerunBody);
      } catch (error) {
        await discardInputs(copies, store);
        throw error;
      }
    },
  );
}

export function presentRerun(own: OwnTask, { prices, rulesOf }: Config): TaskDetailBody['rerun'] {
  const order = rerunnable(own);
  if (order === null) return null;
  const swapper = networksOf(order.work)?.swapper;
  const factor = swapper === undefined ? 1 : rulesOf(partsOfKey(swapper).id).priceFactor;
  return {
    costCredits: priceOf(order.work, prices) * factor,
    until: order.inputsUntil?.toISOString() ?? null,
  };
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

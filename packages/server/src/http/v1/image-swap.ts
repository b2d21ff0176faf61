import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, fieldError } from '@guise/contract/errors.ts';
import { v1FailureCode } from '@guise/contract/wire-codes.ts';
import { IMAGE_SWAP_BODY } from '@guise/contract/v1/bodies.ts';
import { presentImage } from '../../present/v1/present-image.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import {
  awaitAnswer,
  forgetAnswer,
  type IdempotentRequest,
  isAwaited,
  type RememberedAnswer,
} from '../../tasks/idempotency.ts';
import type { Task } from '../../tasks/task.ts';
import { awaitTask } from '../common/await-task.ts';
import { createOrDiscard } from '../common/create-or-discard.ts';
import { busy, clientGone } from '../common/abort-when.ts';
import type { HttpDeps } from '../common/deps.ts';
import { newTaskOf, orderImage } from './orders.ts';
import { orderOrDiscard } from './accept-job.ts';
import { type CheckedRequest, checkRequest } from './check-request.ts';
import { answerQuote } from './quote.ts';

/** Name of the work in error messages. */
const WORK_IN_WORDS = 'swap the face';

/** A task that a request waits for. */
interface Waiting {
  readonly accountId: string;
  readonly taskId: string;
  readonly idempotency: IdempotentRequest | null;
}

/**
 * Handles POST `/v1/image-swap`: creates a short task, waits for it and answers with its result.
 * The `Idempotency-Key` is remembered with the task, so that a duplicate request waits for the same
 * task and a replay gets the same result.
 */
export function postImageSwap(deps: HttpDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const checked = await checkRequest(deps, IMAGE_SWAP_BODY, request, reply);
    const { caller, idempotency } = checked;
    const answer = 'earlier' in checked ? checked.earlier : await accept(deps, checked, reply);
    const { taskId } = answer.body as Partial<TaskBehind>;
    // An answer without a task is a quote.
    if (taskId === undefined) return reply.code(answer.status).send(answer.body);
    const task = await endOf(deps, { accountId: caller.id, taskId, idempotency }, reply);
    if (task.status === 'COMPLETED') return reply.code(200).send(presentImage(task, deps.links));
    if (idempotency !== null) await forgetAnswer(deps.database, caller.id, idempotency, answerBehind(taskId));
    throw failureOf(task);
  };
}

/** Creates the task of a request, or answers its quote. */
async function accept(
  deps: HttpDeps,
  checked: CheckedRequest<typeof IMAGE_SWAP_BODY>,
  reply: FastifyReply,
): Promise<RememberedAnswer> {
  const { caller, taken, idempotency, dryRun } = checked;
  const order = await orderOrDiscard(deps, checked, () => orderImage(checked, deps.config.prices));
  if (dryRun) return answerQuote(deps, checked, order.costCredits, reply, taken.values.face_index);
  return createOrDiscard(deps.database, newTaskOf(order, caller.id), taken, idempotency, answerBehind);
}

interface TaskBehind {
  readonly taskId: string;
}

function answerBehind(taskId: string): RememberedAnswer {
  return { status: 200, body: { taskId } satisfies TaskBehind };
}

/**
 * Waits for the end of a task, and cancels it if nobody can use its result. A client with an
 * `Idempotency-Key` may come back for the result, so its task is cancelled only if it is late and
 * no duplicate request is waiting.
 * @returns a task with a final status. @throws AppError BUSY, ClientGone
 */
async function endOf(deps: HttpDeps, waiting: Waiting, reply: FastifyReply): Promise<Task> {
  const { accountId, taskId, idempotency } = waiting;
  const { database, patienceMs } = deps;
  if (idempotency !== null) await awaitAnswer(database, accountId, idempotency, patienceMs);
  const { task, why } = await awaitTask(deps, taskId, reply);
  if (task !== null) return task;
  if (idempotency !== null && (why !== 'late' || (await isAwaited(database, accountId, idempotency)))) {
    throw why === 'gone' ? clientGone() : busy(WORK_IN_WORDS);
  }
  await cancelUnlessEnded(deps, waiting);
  if (why === 'gone') throw clientGone();
  // The task has ended by now: it was cancelled, or finished just before.
  return (await awaitTask(deps, taskId, reply)).task ?? thrown(busy(WORK_IN_WORDS));
}

async function cancelUnlessEnded(deps: HttpDeps, { accountId, taskId }: Waiting): Promise<void> {
  const address = { accountId, taskId, interface: 'v1', type: 'IMAGE_SWAP' } as const;
  try {
    await cancelTask(deps.database, address, deps.ending);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'TASK_FINISHED')) throw error;
  }
}

function thrown(error: Error): never {
  throw error;
}

/** Turns the failure of a task into the answer to a request (docs/spec/details#failure-codes). */
function failureOf({ status, error }: Task): AppError {
  if (status === 'CANCELLED') return busy(WORK_IN_WORDS);
  const { code, message } = error!;
  switch (v1FailureCode(code)) {
    case 'NO_FACE_DETECTED':
      return new AppError('NO_FACE_DETECTED', message);
    case 'FACE_NOT_FOUND':
    case 'FACE_INDEX_OUT_OF_RANGE':
      return fieldError('FACE_INDEX_OUT_OF_RANGE', 'face_index', `is too large. ${message}`);
    case 'DECODE_FAILED':
    case 'RESOURCE_LIMIT':
    case 'INVALID_FORMAT':
      return new AppError('INVALID_FORMAT', message);
    case 'ENGINE_UNAVAILABLE':
      return new AppError('ENGINE_UNAVAILABLE', message, { field: 'engine' });
    case 'FACE_BLOCKED':
      return new AppError('FACE_BLOCKED', message, { field: /^\w+/.exec(message)?.[0] });
    case 'FACE_WITHDRAWN':
      return new AppError('FACE_WITHDRAWN', message, { field: 'source_face_id' });
    case 'MODERATION_REFUSED':
      return new AppError('MODERATION_REFUSED', message);
    case 'DEADLINE_EXCEEDED':
      return busy(WORK_IN_WORDS);
    default:
      return new AppError('INTERNAL_ERROR', 'The service failed to swap the face.', {}, error);
  }
}

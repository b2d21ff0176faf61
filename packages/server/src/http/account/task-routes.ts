import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  taskDetailSchema,
  type TaskDetailBody,
  type TasksBody,
  tasksSchema,
} from '@guise/contract/account/own.ts';
import { AppError } from '@guise/contract/errors.ts';
import { TASK_STATUSES, TASK_TYPES, type TaskType } from '@guise/contract/task.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import type { TaskAddress } from '../../tasks/get-task.ts';
import { findOwnTask } from '../../tasks/own/find-own-task.ts';
import { listTasks, type TaskFilter } from '../../tasks/own/list-tasks.ts';
import { deleteFiles } from '../common/delete-files.ts';
import type { HttpDeps } from '../common/deps.ts';
import { sessionOf } from './common/guard.ts';
import { onePage, readId, readOneOf, readPage, readQuery } from '../common/page-query.ts';
import { presentDetail, presentSummary } from '../../present/account/present-own-task.ts';
import { presentRerun } from './rerun-route.ts';

/** Schemas of answers that show one task. */
const DETAIL_ANSWERS = { 200: taskDetailSchema };

/** Interfaces by which a list of tasks can be filtered. */
const TASK_INTERFACES = ['ai-tasks', 'v1'] as const;

export function addTaskRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get(
    '/account/tasks',
    { schema: { response: { 200: tasksSchema } } },
    async (request): Promise<TasksBody> => {
      const { rows, next } = await onePage(readFilter(request), (filter) => listTasks(deps.database, filter));
      return { tasks: rows.map((task) => presentSummary(task, deps.links)), next };
    },
  );
  app.get('/account/tasks/:id', { schema: { response: DETAIL_ANSWERS } }, (request) =>
    readDetail(deps, request, readId(request)),
  );
  app.delete('/account/tasks/:id', { schema: { response: DETAIL_ANSWERS } }, async (request) => {
    const { accountId } = sessionOf(request);
    const taskId = readId(request);
    await cancelTask(deps.database, await ownAddress(deps, accountId, taskId), deps.ending);
    return readDetail(deps, request, taskId);
  });
  app.delete('/account/tasks/:id/files', { schema: { response: DETAIL_ANSWERS } }, async (request) => {
    const { accountId } = sessionOf(request);
    const taskId = readId(request);
    await deleteFiles(deps, await ownAddress(deps, accountId, taskId));
    return readDetail(deps, request, taskId);
  });
}

/** Returns the address of an account's own task. @throws AppError NOT_FOUND */
async function ownAddress(deps: HttpDeps, accountId: string, taskId: string): Promise<TaskAddress> {
  const own = await findOwnTask(deps.database, accountId, taskId);
  if (own === null) throw noTask();
  return { accountId, taskId, interface: own.task.interface, type: own.task.type as TaskType };
}

async function readDetail(deps: HttpDeps, request: FastifyRequest, taskId: string): Promise<TaskDetailBody> {
  const own = await findOwnTask(deps.database, sessionOf(request).accountId, taskId);
  if (own === null) throw noTask();
  return { ...presentDetail(own.task, deps.links), rerun: await presentRerun(deps, request, own) };
}

function readFilter(request: FastifyRequest): TaskFilter {
  const query = readQuery(request, ['status', 'type', 'interface', 'from', 'to', 'cursor', 'limit']);
  const status = readOneOf('status', query.status, TASK_STATUSES);
  const type = readOneOf('type', query.type, TASK_TYPES);
  const wire = readOneOf('interface', query.interface, TASK_INTERFACES);
  const from = readTime('from', query.from);
  const to = readTime('to', query.to);
  return {
    accountId: sessionOf(request).accountId,
    ...readPage(query),
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
    ...(wire === undefined ? {} : { interface: wire }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

function readTime(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  const year = time.getUTCFullYear();
  // This also refuses a text that is not a time, because its year is NaN.
  if (!(year >= 1970 && year <= 9999)) {
    throw new AppError('INVALID_REQUEST', `${name} must be a time like 2026-01-31T12:00:00Z.`);
  }
  return time;
}

function noTask(): AppError {
  return new AppError('NOT_FOUND', 'There is no such task.');
}

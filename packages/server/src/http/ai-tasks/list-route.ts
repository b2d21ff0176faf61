import type { FastifyInstance } from 'fastify';
import { type TaskListBody, type TaskListEntryBody } from '@guise/contract/ai-tasks/schemas.ts';
import { TASK_STATUSES, TASK_TYPES } from '@guise/contract/task.ts';
import { presentTask } from '../../present/ai-tasks/present-task.ts';
import type { FileLinks } from '../../storage/file-links.ts';
import { listTasks } from '../../tasks/own/list-tasks.ts';
import type { Task } from '../../tasks/task.ts';
import type { HttpDeps } from '../common/deps.ts';
import { onePage, readOneOf, readPage, readQuery } from '../common/page-query.ts';
import { callerOf } from '../plugins/admission.ts';
import { reading } from './route-options.ts';

/** Path of the list. */
const LIST_PATH = '/api/ai-tasks/list';

/** Adds the list of an account's tasks, newest first. */
export function addListRoute(app: FastifyInstance, { readDatabase, links }: HttpDeps): void {
  app.get(LIST_PATH, reading({ readDatabase }), async (request): Promise<TaskListBody> => {
    const query = readQuery(request, ['limit', 'cursor', 'status', 'taskType']);
    const status = readOneOf('status', query.status, TASK_STATUSES);
    const type = readOneOf('taskType', query.taskType, TASK_TYPES);
    const filter = {
      accountId: callerOf(request).id,
      interface: 'ai-tasks',
      ...readPage(query),
      ...(status === undefined ? {} : { status }),
      ...(type === undefined ? {} : { type }),
    } as const;
    const { rows, next } = await onePage(filter, (page) => listTasks(readDatabase, page));
    return { tasks: rows.map((task) => withoutLinks(task, links)), nextCursor: next };
  });
}

/**
 * Presents a task as GET does, but without the links, because a list must not reveal all of them.
 */
function withoutLinks(task: Task, links: FileLinks): TaskListEntryBody {
  const { result, ...rest } = presentTask(task, links);
  if (result === null || !('outputs' in result)) return { ...rest, result };
  return { ...rest, result: { ...result, outputs: result.outputs.map(({ url: _url, ...facts }) => facts) } };
}

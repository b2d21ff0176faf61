import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_DESCRIPTION } from '@guise/contract/ai-tasks/openapi.ts';
import { DETECT_FORM, VERIFY_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { DeletedFilesBody, TaskBody } from '@guise/contract/ai-tasks/schemas.ts';
import { AppError } from '@guise/contract/errors.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import { deleteFiles } from '../common/delete-files.ts';
import type { HttpDeps } from '../common/deps.ts';
import { admitPoll, callerOf } from '../plugins/admission.ts';
import { batch } from './batch.ts';
import { addEventRoutes } from './event-routes.ts';
import { addFaceRoutes } from './face-routes.ts';
import { gif } from './gif.ts';
import { group } from './group.ts';
import { addListRoute } from './list-route.ts';
import { photo } from './photo.ts';
import { postDetection, postTask } from './post-routes.ts';
import { postVerification } from './post-verification.ts';
import { addPublicVerification } from './public-verification.ts';
import { reading, REFUSALS, writing } from './route-options.ts';
import { presentTask } from '../../present/ai-tasks/present-task.ts';
import { readDeletion, readTaskId } from '../common/query.ts';
import { video } from './video.ts';
import type { Workflow } from './workflow.ts';

/** Workflows in the order of their routes. */
const WORKFLOWS: readonly Workflow[] = [photo, batch, group, video, gif];

/** Adds the routes of `/api/ai-tasks`. Each workflow has POST, GET and DELETE on one path. */
export function addAiTaskRoutes(app: FastifyInstance, deps: HttpDeps): void {
  for (const workflow of WORKFLOWS) addWorkflow(app, deps, workflow);
  app.post(DETECT_FORM.path, writing(deps), postDetection(deps, DETECT_FORM));
  app.post(VERIFY_FORM.path, writing(deps), postVerification(deps));
  addPublicVerification(app, deps);
  addListRoute(app, deps);
  app.get('/api/ai-tasks/engines', reading(deps), (request) => deps.engines.list(callerOf(request).plan));
  addEventRoutes(app, deps);
  addFaceRoutes(app, deps);
  const description = JSON.stringify(API_DESCRIPTION);
  // Needs no key, because it contains nothing about any account.
  app.get('/api/ai-tasks/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );
}

function addWorkflow(app: FastifyInstance, deps: HttpDeps, workflow: Workflow): void {
  const { path } = workflow.form;
  app.post(path, writing(deps), postTask(deps, workflow));
  const polling = { onRequest: admitPoll(deps.readDatabase, workflow.type), schema: REFUSALS };
  app.get(path, polling, (request, reply) => {
    readTaskId(request);
    reply.send(presentTask(found(request.polledTask), deps.links));
  });
  app.delete(path, reading(deps), (request) => cancelOrDelete(deps, workflow, request));
}

/** Cancels a task, or with `files=true` deletes the outputs of a task that has ended. */
async function cancelOrDelete(
  deps: HttpDeps,
  workflow: Workflow,
  request: FastifyRequest,
): Promise<TaskBody | DeletedFilesBody> {
  const { taskId, files } = readDeletion(request);
  const address = {
    accountId: callerOf(request).id,
    taskId,
    interface: 'ai-tasks',
    type: workflow.type,
  } as const;
  if (files) {
    return { id: taskId.toLowerCase(), deletedFiles: found(await deleteFiles(deps, address)) };
  }
  return presentTask(found(await cancelTask(deps.database, address, deps.ending)), deps.links);
}

/**
 * Returns the task. A task that is unknown, of another account or of another workflow gives the
 * same error, so that nobody learns which it is.
 */
function found<T>(task: T | null): T {
  if (task === null) throw new AppError('NOT_FOUND', 'There is no such task.');
  return task;
}

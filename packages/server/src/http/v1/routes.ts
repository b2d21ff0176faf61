import type { FastifyInstance } from 'fastify';
import { BATCH_SWAP_BODY, IMAGE_SWAP_BODY, VIDEO_SWAP_BODY } from '@guise/contract/v1/bodies.ts';
import { V1_DESCRIPTION } from '@guise/contract/v1/openapi.ts';
import { v1ErrorSchema } from '@guise/contract/v1/schemas.ts';
import type { HttpDeps } from '../common/deps.ts';
import { admitV1, admitV1Poll } from '../plugins/admission.ts';
import { refuseBatchBeyondPlan } from './batch-limit.ts';
import { postJob } from './accept-job.ts';
import { postImageSwap } from './image-swap.ts';
import { orderBatch, orderVideo } from './orders.ts';
import { cancelJob, jobTaskId, readJob, STATUS_PATH } from './status.ts';

/** Schemas for error answers only, as in `../ai-tasks/routes.ts`. */
const schema = { response: { '4xx': v1ErrorSchema, '5xx': v1ErrorSchema } };

/** Adds the routes of `/v1`, which take and return JSON. */
export function addV1Routes(app: FastifyInstance, deps: HttpDeps): void {
  const onPost = admitV1(deps.database);
  const onRead = admitV1Poll(deps.readDatabase, jobTaskId);
  app.post(IMAGE_SWAP_BODY.path, { onRequest: onPost, schema }, postImageSwap(deps));
  app.post(VIDEO_SWAP_BODY.path, { onRequest: onPost, schema }, postJob(deps, VIDEO_SWAP_BODY, orderVideo));
  app.post(
    BATCH_SWAP_BODY.path,
    { onRequest: onPost, schema },
    postJob(deps, BATCH_SWAP_BODY, orderBatch, refuseBatchBeyondPlan(deps)),
  );
  app.get(STATUS_PATH, { onRequest: onRead, schema }, readJob(deps));
  app.delete(STATUS_PATH, { onRequest: onPost, schema }, cancelJob(deps));
  const description = JSON.stringify(V1_DESCRIPTION);
  // Needs no key, because it contains nothing about any account.
  app.get('/v1/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );
}

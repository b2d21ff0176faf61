import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import { TASK_TYPES } from '@guise/contract/task.ts';
import { presentTask } from '../../present/ai-tasks/present-task.ts';
import type { EventId } from '../../tasks/follow/event-id.ts';
import { MAX_STREAMS, releaseStreamSlot, takeStreamSlot } from '../../tasks/follow/stream-slots.ts';
import { TaskFeed } from '../../tasks/follow/task-feed.ts';
import { getTask } from '../../tasks/get-task.ts';
import type { HttpDeps } from '../common/deps.ts';
import { readQuery } from '../common/page-query.ts';
import { isUuid, malformedTaskId } from '../common/query.ts';
import { EventStream, type StreamBudget } from './event-stream.ts';
import { callerOf, keyHashOf } from '../plugins/admission.ts';
import { reading } from './route-options.ts';

/** Path of the event stream. */
const EVENTS_PATH = '/api/ai-tasks/events';

/** Adds the stream of server-sent events that follows an account's tasks. */
export function addEventRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const budget: StreamBudget = { bytes: 0 };
  const feed = new TaskFeed(deps.readDatabase, (error) =>
    deps.log.warn({ err: error }, 'could not send task events to open streams'),
  );
  // Open streams would prevent the app from closing.
  app.addHook('preClose', async () => feed.close());
  app.get(EVENTS_PATH, reading(deps), (request, reply) => openStream(deps, feed, budget, request, reply));
}

async function openStream(
  { readDatabase, links, log }: HttpDeps,
  feed: TaskFeed,
  budget: StreamBudget,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const accountId = callerOf(request).id;
  const taskId = readQuery(request, ['taskId']).taskId ?? null;
  if (taskId !== null) {
    if (!isUuid(taskId)) throw malformedTaskId();
    const address = { accountId, taskId, interface: 'ai-tasks', type: TASK_TYPES } as const;
    if ((await getTask(readDatabase, address)) === null) {
      throw new AppError('NOT_FOUND', 'There is no such task.');
    }
  }
  const slot = await takeStreamSlot(readDatabase, accountId);
  if (slot === null) {
    throw new AppError(
      'RATE_LIMITED',
      `At most ${MAX_STREAMS} streams of events of an account may be open at a time.`,
      { limit: MAX_STREAMS },
    );
  }
  reply.hijack();
  const { raw } = reply;
  const release = (): void => {
    releaseStreamSlot(readDatabase, slot.id).catch((error: unknown) =>
      log.warn({ err: error }, 'could not release the slot of an event stream; it expires by itself'),
    );
  };
  // The client may have left during the wait for a slot.
  if (raw.destroyed) {
    release();
    return reply;
  }
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // Nothing follows a stream on its connection, and an idle connection would prevent the app from
    // closing.
    connection: 'close',
  });
  const stream = new EventStream(raw, budget);
  const unfollow = feed.follow({
    accountId,
    slot,
    keyHash: keyHashOf(request),
    taskId: taskId?.toLowerCase() ?? null,
    since: readLastEventId(request),
    hasRoom: () => stream.hasRoom,
    onTask: (task, id) =>
      stream.send(`id: ${id}\nevent: task\ndata: ${JSON.stringify(presentTask(task, links))}\n\n`),
    onEnd: () => stream.end(),
  });
  raw.once('close', () => {
    unfollow();
    release();
  });
  return reply;
}

/** Reads the id of the last event; null if it is missing or malformed. */
function readLastEventId(request: FastifyRequest): EventId | null {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && /^\d{13}$/.test(id) ? Number(id) : null;
}

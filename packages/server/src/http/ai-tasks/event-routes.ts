import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBodySchema } from '@guise/contract/ai-tasks/schemas.ts';
import { AppError } from '@guise/contract/errors.ts';
import { TASK_TYPES } from '@guise/contract/task.ts';
import { presentTask } from '../../present/ai-tasks/present-task.ts';
import { MAX_STREAMS, releaseStreamSlot, takeStreamSlot } from '../../tasks/follow/stream-slots.ts';
import { TaskFeed } from '../../tasks/follow/task-feed.ts';
import { getTask } from '../../tasks/get-task.ts';
import type { HttpDeps } from '../common/deps.ts';
import { readQuery } from '../common/page-query.ts';
import { isUuid, malformedTaskId } from '../common/query.ts';
import { admitRead, callerOf, keyHashOf } from '../plugins/admission.ts';

/** Path of the stream. */
const EVENTS_PATH = '/api/ai-tasks/events';

/** Pause between two comments that keep proxies from closing a silent stream. */
const COMMENT_INTERVAL_MS = 15_000;

/** Text that may wait for a client; one that reads slower is let go, and resumes. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** Pause after which clients come back, in milliseconds. */
const RETRY = 'retry: 1000\n\n';

/** Adds the stream of server-sent events that follows an account's tasks. */
export function addEventRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const feed = new TaskFeed(deps.readDatabase, (error) =>
    deps.log.warn({ err: error }, 'followers of tasks could not be told'),
  );
  // Open streams would keep the app from closing.
  app.addHook('preClose', async () => feed.close());
  app.get(
    EVENTS_PATH,
    {
      onRequest: admitRead(deps.readDatabase),
      schema: { response: { '4xx': errorBodySchema, '5xx': errorBodySchema } },
    },
    (request, reply) => openStream(deps, feed, request, reply),
  );
}

async function openStream(
  { readDatabase, links, log }: HttpDeps,
  feed: TaskFeed,
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
  const slotId = await takeStreamSlot(readDatabase, accountId);
  if (slotId === null) {
    throw new AppError(
      'RATE_LIMITED',
      `At most ${MAX_STREAMS} streams of events of an account may be open at a time.`,
      { limit: MAX_STREAMS },
    );
  }
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // Nothing comes after a stream, and an idle connection would keep the app from closing.
    connection: 'close',
  });
  raw.write(RETRY);
  const comments = setInterval(() => raw.write(': still here\n\n'), COMMENT_INTERVAL_MS);
  const unfollow = feed.follow({
    accountId,
    slotId,
    keyHash: keyHashOf(request),
    taskId: taskId?.toLowerCase() ?? null,
    since: readLastEventId(request),
    onTask(task, at) {
      if (raw.writableLength > MAX_WAITING_BYTES) return void raw.destroy();
      raw.write(`id: ${at.getTime()}\nevent: task\ndata: ${JSON.stringify(presentTask(task, links))}\n\n`);
    },
    onEnd: () => void raw.end(RETRY),
  });
  raw.once('close', () => {
    clearInterval(comments);
    unfollow();
    releaseStreamSlot(readDatabase, slotId).catch((error: unknown) =>
      log.warn({ err: error }, 'the place of a stream could not be given back; it ends by itself'),
    );
  });
  return reply;
}

/** Reads the moment of the last event; null if there was none, or none of ours. */
function readLastEventId(request: FastifyRequest): Date | null {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && /^\d{13}$/.test(id) ? new Date(Number(id)) : null;
}

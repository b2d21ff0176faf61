import type { Lane } from '@guise/contract/task.ts';
import { Claimer } from '../tasks/queue/claimer.ts';
import { reap } from '../tasks/reap.ts';
import { retryWhileDatabaseIsAway } from '../db/retry-while-away.ts';
import { Leaders } from './work/leaders.ts';
import { LeavingParts } from './work/leaving-parts.ts';
import { PartNews } from './work/part-news.ts';
import { SharedWork } from './work/shared-work.ts';
import { LEASE_MS } from './work/held-lease.ts';
import { repeat } from './repeat.ts';
import { runSlot } from './slot.ts';
import { TaskAborts } from './work/task-aborts.ts';
import { WorkSignal } from './work/work-signal.ts';
import type { WorkerOptions } from './work/worker-options.ts';

/** Interval at which tasks of dead workers are looked for. */
const REAP_INTERVAL_MS = 5000;

/** Longest wait for a database that is starting. */
const DATABASE_START_WAIT_MS = 30_000;

/**
 * Claims and performs tasks until `stopping`. Then lets running tasks finish, or returns them to
 * the queue.
 */
export async function runWorker(options: WorkerOptions, stopping: AbortSignal): Promise<void> {
  const { db, relaxedDb, notifications, log, engines, settings } = options;
  const deadlines = { deadlineMs: settings.taskDeadlineMs, ...settings.ending };
  await retryWhileDatabaseIsAway(DATABASE_START_WAIT_MS, () =>
    reap(db, { ...deadlines, workersAreGone: settings.workersAreGone }),
  );

  const work = new WorkSignal();
  const claimer = new Claimer(relaxedDb.pool, LEASE_MS);
  const aborts = new TaskAborts();
  const partNews = new PartNews(db, notifications);
  const sharedWork = new SharedWork(options.storage);
  const leavingParts = new LeavingParts();
  const leaders = new Leaders(Math.max(1, engines.length - 1), () => work.wake('long'));
  const stopListening = [
    partNews.stop,
    notifications.listen('guise_pending', (lane) => work.wake(lane as Lane | null)),
    notifications.listen('guise_parts', (lane) => {
      claimer.partsMayWait(lane as Lane | null);
      work.wake(lane as Lane | null);
    }),
    notifications.listen('guise_cancelled', (taskId) => {
      if (taskId === null) aborts.checkAll();
      else aborts.cancel(taskId);
    }),
    notifications.listen('guise_finished', (taskId) => {
      if (taskId !== null) void sharedWork.drop(taskId);
    }),
  ];
  const reaping = repeat(REAP_INTERVAL_MS, stopping, async () => {
    try {
      const reaped = await reap(db, deadlines);
      const { returned, returnedParts, expired, unavailable } = reaped;
      if (returned + returnedParts + expired + unavailable > 0)
        log.warn(reaped, 'tasks of dead workers were returned to the queue, or ended');
    } catch (error) {
      log.error({ err: error }, 'could not look for lost tasks');
    }
  });
  const slots = engines.map((engine, index) => {
    const lanes: Lane[] = index === 0 ? ['short'] : ['short', 'long'];
    const slot = { ...options, engine, lanes, claimer, work, aborts, partNews, sharedWork };
    return runSlot({ ...slot, leaders, leavingParts }, stopping);
  });
  await Promise.all([...slots, reaping]);
  await Promise.all([leaders.settled(), leavingParts.settled()]);
  await sharedWork.close();
  for (const stop of stopListening) stop();
}

import type { Lane } from '@guise/contract/task.ts';
import type { Database } from '../../db/database.ts';

export interface LaneDepth {
  readonly lane: Lane;
  readonly pending: number;
  /** Waiting work, in seconds of one engine slot. */
  readonly waitSeconds: number;
  /** Age of the oldest waiting task; 0 if no task waits. */
  readonly oldestSeconds: number;
  readonly processing: number;
}

/** Reads the state of both lanes, including hidden tasks. */
export async function readQueueDepth(db: Database): Promise<LaneDepth[]> {
  const { rows } = await db.pool.query<LaneDepth>(
    `select lane,
       (select count(*) from tasks where status = 'PENDING' and tasks.lane = lanes.lane) as pending,
       (select seconds from queue_wait where queue_wait.lane = lanes.lane) as "waitSeconds",
       coalesce(extract(epoch from now() -
         (select min(created_at) from tasks where status = 'PENDING' and tasks.lane = lanes.lane)), 0)::float8
         as "oldestSeconds",
       (select count(*) from tasks where status = 'PROCESSING' and tasks.lane = lanes.lane) as processing
     from (values ('short'), ('long')) as lanes (lane)`,
  );
  return rows;
}

export interface PartsDepth {
  readonly lane: Lane;
  readonly waiting: number;
  readonly running: number;
}

/** Counts the parts of tasks in both lanes. */
export async function readPartsDepth(db: Database): Promise<PartsDepth[]> {
  const { rows } = await db.pool.query<PartsDepth>(
    `select lane,
       (select count(*) from task_parts where status = 'WAITING' and task_parts.lane = lanes.lane) as waiting,
       (select count(*) from task_parts where status = 'RUNNING' and task_parts.lane = lanes.lane) as running
     from (values ('short'), ('long')) as lanes (lane)`,
  );
  return rows;
}

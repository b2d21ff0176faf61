import type { Lane } from '@guise/contract/task.ts';
import type { Queryable } from '../../db/database.ts';
import type { ClaimedTask, LaneTags } from './claim-tasks.ts';

/** Shortest time between two writes of the virtual time. */
const WRITE_INTERVAL_MS = 100;

/** Interval at which a claim searches the whole queue, for tasks that were returned to it. */
const WHOLE_LOOK_INTERVAL_MS = 1000;

/** Start tags that include every waiting task. */
export const WHOLE_QUEUE: LaneTags = { short: 0, long: 0 };

/**
 * Virtual time of the lanes, as seen by one worker: the highest start tag claimed so far. New tasks
 * start there, so that an account gains no advantage from a pause. All workers write it to one row
 * per lane, at most ten times a second. A delay of this size only lets new tasks start slightly
 * earlier.
 */
export class LaneClock {
  readonly #claimed: LaneTags = { ...WHOLE_QUEUE };
  #seen = WHOLE_QUEUE;
  #from = WHOLE_QUEUE;
  #wholeLookAtMs = Number.NEGATIVE_INFINITY;
  #isWritten = true;
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  /**
   * Returns the start tags at which the next claim begins: the virtual time of one to two seconds
   * ago. Tasks with lower tags have been claimed since, or will be found by the next search of the
   * whole queue.
   */
  async from(db: Queryable): Promise<LaneTags> {
    if (performance.now() - this.#wholeLookAtMs < WHOLE_LOOK_INTERVAL_MS) return this.#from;
    this.#wholeLookAtMs = performance.now();
    this.#from = this.#seen;
    this.#seen = await readVirtualTime(db);
    return WHOLE_QUEUE;
  }

  /** Advances the virtual time to the claimed start tags. */
  async note(db: Queryable, tasks: readonly Pick<ClaimedTask, 'lane' | 'startTag'>[]): Promise<void> {
    for (const { lane, startTag } of tasks) {
      if (startTag <= this.#claimed[lane]) continue;
      this.#claimed[lane] = startTag;
      this.#isWritten = false;
    }
    if (this.#isWritten || performance.now() - this.#writtenAtMs < WRITE_INTERVAL_MS) return;
    this.#isWritten = true;
    this.#writtenAtMs = performance.now();
    await writeVirtualTime(db, this.#claimed);
  }
}

async function readVirtualTime(db: Queryable): Promise<LaneTags> {
  const { rows } = await db.query<{ readonly lane: Lane; readonly virtual_time: number }>({
    name: 'read-virtual-time',
    text: 'select lane, virtual_time from queue_lanes',
  });
  const tags = { ...WHOLE_QUEUE };
  for (const { lane, virtual_time } of rows) tags[lane] = virtual_time;
  return tags;
}

/** Writes each lane in its own transaction, so that two writers cannot deadlock. */
async function writeVirtualTime(db: Queryable, tags: LaneTags): Promise<void> {
  for (const [lane, tag] of Object.entries(tags)) {
    await db.query({
      name: 'write-virtual-time',
      text: 'update queue_lanes set virtual_time = $2 where lane = $1 and virtual_time < $2',
      values: [lane, tag],
    });
  }
}

import type { Lane } from '@guise/contract/task.ts';
import type { Queryable } from '../../db/database.ts';
import type { ClaimedTask, LaneTags } from './claim-tasks.ts';

/** Least time between two writes of the virtual time. */
const WRITE_INTERVAL_MS = 100;

/** Time after which a claim looks through the whole queue again, for tasks that came back to it. */
const WHOLE_LOOK_INTERVAL_MS = 1000;

/** Tags from which every waiting task is seen. */
export const WHOLE_QUEUE: LaneTags = { short: 0, long: 0 };

/**
 * Virtual time of the lanes as one worker sees it. It is the highest start tag claimed so far: new
 * tasks begin there, so that an account that was away does not make up for it. All workers write it
 * to one row a lane, ten times a second at most: a row behind by that much only lets new tasks in a
 * little earlier.
 */
export class LaneClock {
  readonly #claimed: LaneTags = { ...WHOLE_QUEUE };
  #seen = WHOLE_QUEUE;
  #from = WHOLE_QUEUE;
  #wholeLookAtMs = Number.NEGATIVE_INFINITY;
  #isWritten = true;
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  /**
   * Returns the start tags at which the next claim begins: the virtual time one to two seconds ago,
   * as whatever begins before it was claimed since, or will be found by the next look through the
   * whole queue.
   */
  async from(db: Queryable): Promise<LaneTags> {
    if (performance.now() - this.#wholeLookAtMs < WHOLE_LOOK_INTERVAL_MS) return this.#from;
    this.#wholeLookAtMs = performance.now();
    this.#from = this.#seen;
    this.#seen = await readVirtualTime(db);
    return WHOLE_QUEUE;
  }

  /** Moves the virtual time on to what was claimed. */
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

/** Writes one lane after the other, each in its own transaction: two writers cannot deadlock. */
async function writeVirtualTime(db: Queryable, tags: LaneTags): Promise<void> {
  for (const [lane, tag] of Object.entries(tags)) {
    await db.query({
      name: 'write-virtual-time',
      text: 'update queue_lanes set virtual_time = $2 where lane = $1 and virtual_time < $2',
      values: [lane, tag],
    });
  }
}

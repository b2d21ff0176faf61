import type { Lane } from '@guise/contract/task.ts';
import type { Queryable } from '../../db/database.ts';
import { type ClaimedTask, claimTasks } from './claim-tasks.ts';
import { LaneClock, WHOLE_QUEUE } from './lane-clock.ts';

/** A slot that waits for a task. */
interface Ask {
  readonly lanes: readonly Lane[];
  readonly resolve: (task: ClaimedTask | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Claims tasks for all slots of a worker. Slots that ask while a claim is under way are served
 * together by the next one.
 */
export class Claimer {
  readonly #db: Queryable;
  readonly #leaseMs: number;
  readonly #clock = new LaneClock();
  readonly #asks: Ask[] = [];
  #isClaiming = false;

  /** @param db opened with `durable: false`; @param leaseMs length of each task's lease. */
  constructor(db: Queryable, leaseMs: number) {
    this.#db = db;
    this.#leaseMs = leaseMs;
  }

  /** Takes the next task of the lanes; null if none waits. */
  next(lanes: readonly Lane[]): Promise<ClaimedTask | null> {
    return new Promise((resolve, reject) => {
      this.#asks.push({ lanes, resolve, reject });
      if (!this.#isClaiming) void this.#serveAll();
    });
  }

  async #serveAll(): Promise<void> {
    this.#isClaiming = true;
    while (this.#asks.length > 0) await this.#serveSome();
    this.#isClaiming = false;
  }

  /** Serves the slot that asked first, and those that asked for the same lanes. */
  async #serveSome(): Promise<void> {
    const { lanes } = this.#asks[0]!;
    const served = this.#asks.filter((ask) => ask.lanes.join() === lanes.join());
    for (const ask of served) this.#asks.splice(this.#asks.indexOf(ask), 1);
    try {
      const tasks = await this.#claim(lanes, served.length);
      for (const [at, ask] of served.entries()) ask.resolve(tasks[at] ?? null);
      await this.#clock.note(this.#db, tasks);
    } catch (error) {
      for (const ask of served) ask.reject(error);
    }
  }

  async #claim(lanes: readonly Lane[], limit: number): Promise<readonly ClaimedTask[]> {
    const options = { lanes, limit, leaseMs: this.#leaseMs };
    const tasks = await claimTasks(this.#db, { ...options, from: await this.#clock.from(this.#db) });
    if (tasks.length > 0) return tasks;
    // What came back to the queue may begin earlier, and all of one lane may be locked by others.
    for (const lane of lanes) {
      const found = await claimTasks(this.#db, { ...options, lanes: [lane], from: WHOLE_QUEUE });
      if (found.length > 0) return found;
    }
    return [];
  }
}

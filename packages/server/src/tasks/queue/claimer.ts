import type { Lane } from '@guise/contract/task.ts';
import type { Queryable } from '../../db/database.ts';
import { type ClaimedPart, claimParts } from './claim-parts.ts';
import { type ClaimedTask, claimTasks } from './claim-tasks.ts';
import { LaneClock, WHOLE_QUEUE } from './lane-clock.ts';

/** What a slot may claim. */
export interface Wanted {
  /** Lanes from which the slot takes whole tasks. */
  readonly taskLanes: readonly Lane[];
  /** Lanes from which the slot takes parts of tasks. */
  readonly partLanes: readonly Lane[];
  /** Engines of the slot, in the form that parts use. */
  readonly engines: readonly string[];
  /** Keys of the networks that the worker holds. */
  readonly networks: readonly string[];
}

/** What a slot has claimed. */
export type Claimed =
  | { readonly kind: 'task'; readonly task: ClaimedTask }
  | { readonly kind: 'part'; readonly part: ClaimedPart };

/** A slot that waits for work. */
interface Ask {
  readonly wanted: Wanted;
  readonly resolve: (claimed: Claimed | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Interval at which parts are looked for without a notification, in case one was lost. */
const PART_LOOK_INTERVAL_MS = 1000;

/**
 * Claims tasks and parts for all slots of a worker. Slots that ask while a claim is running are
 * served together by the next claim. Parts are only looked for where some may wait, so that they do
 * not slow down claims of tasks.
 */
export class Claimer {
  readonly #db: Queryable;
  readonly #leaseMs: number;
  readonly #clock = new LaneClock();
  readonly #asks: Ask[] = [];
  #isClaiming = false;
  /** Lanes in which parts may wait. */
  readonly #partLanes = new Set<Lane>();
  /** Number of calls of `partsMayWait`. */
  #partWakes = 0;
  /** Time of the last look for parts, by lane. */
  readonly #partLooks = new Map<Lane, number>();

  /** @param db opened with `durable: false`; @param leaseMs length of each lease. */
  constructor(db: Queryable, leaseMs: number) {
    this.#db = db;
    this.#leaseMs = leaseMs;
  }

  /** Claims the next task or part that a slot may have; null if none waits. */
  next(wanted: Wanted): Promise<Claimed | null> {
    return new Promise((resolve, reject) => {
      this.#asks.push({ wanted, resolve, reject });
      if (!this.#isClaiming) void this.#serveAll();
    });
  }

  /** Makes the next claim look for parts. @param lane lane in which parts wait; null: unknown */
  partsMayWait(lane: Lane | null): void {
    this.#partWakes += 1;
    if (lane === null) this.#partLooks.clear();
    else this.#partLanes.add(lane);
  }

  async #serveAll(): Promise<void> {
    this.#isClaiming = true;
    while (this.#asks.length > 0) await this.#serveSome();
    this.#isClaiming = false;
  }

  /** Serves the slot that asked first, together with all slots that want the same. */
  async #serveSome(): Promise<void> {
    const { wanted } = this.#asks[0]!;
    const key = keyOf(wanted);
    const served = this.#asks.filter((ask) => keyOf(ask.wanted) === key);
    for (const ask of served) this.#asks.splice(this.#asks.indexOf(ask), 1);
    try {
      const claimed = await this.#claim(wanted, served.length);
      for (const [at, ask] of served.entries()) ask.resolve(claimed[at] ?? null);
      await this.#clock.note(this.#db, tagsOf(claimed, wanted));
    } catch (error) {
      for (const ask of served) ask.reject(error);
    }
  }

  async #claim(wanted: Wanted, limit: number): Promise<readonly Claimed[]> {
    const from = await this.#clock.from(this.#db);
    const parts = await this.#claimParts(wanted, limit, from);
    const claimed: Claimed[] = parts.map((part) => ({ kind: 'part', part }));
    if (claimed.length === limit || wanted.taskLanes.length === 0) return claimed;
    const tasks = await this.#claimTasks(wanted, limit - claimed.length, from);
    return [...claimed, ...tasks.map((task) => ({ kind: 'task', task }) as const)];
  }

  async #claimParts(
    { partLanes, taskLanes, engines, networks }: Wanted,
    limit: number,
    from: typeof WHOLE_QUEUE,
  ): Promise<readonly ClaimedPart[]> {
    const lanes = partLanes.filter((lane) => this.#partLanes.has(lane) || this.#isLookDue(lane));
    if (lanes.length === 0) return [];
    for (const lane of lanes) this.#partLooks.set(lane, performance.now());
    const wakes = this.#partWakes;
    const options = { lanes, taskLanes, engines, networks, limit, leaseMs: this.#leaseMs, from };
    const { parts, waitingIn } = await claimParts(this.#db, options);
    for (const lane of lanes) {
      if (waitingIn.includes(lane)) this.#partLanes.add(lane);
      else if (wakes === this.#partWakes) this.#partLanes.delete(lane);
    }
    return parts;
  }

  #isLookDue(lane: Lane): boolean {
    const lookedAtMs = this.#partLooks.get(lane) ?? Number.NEGATIVE_INFINITY;
    return performance.now() - lookedAtMs >= PART_LOOK_INTERVAL_MS;
  }

  async #claimTasks(
    { taskLanes: lanes, networks }: Wanted,
    limit: number,
    from: typeof WHOLE_QUEUE,
  ): Promise<readonly ClaimedTask[]> {
    const options = { lanes, networks, limit, leaseMs: this.#leaseMs };
    const tasks = await claimTasks(this.#db, { ...options, from });
    if (tasks.length > 0) return tasks;
    // Returned tasks may have lower start tags, and other workers may have locked all tasks of one
    // lane.
    for (const lane of lanes) {
      const found = await claimTasks(this.#db, { ...options, lanes: [lane], from: WHOLE_QUEUE });
      if (found.length > 0) return found;
    }
    return [];
  }
}

function keyOf(wanted: Wanted): string {
  return JSON.stringify(wanted);
}

/**
 * Returns those start tags that advance the virtual time. A part counts only if this slot could
 * have claimed a task instead; otherwise tasks with lower start tags may still wait.
 */
function tagsOf(
  claimed: readonly Claimed[],
  { taskLanes }: Wanted,
): readonly Pick<ClaimedTask, 'lane' | 'startTag'>[] {
  return claimed
    .map((each) => (each.kind === 'task' ? each.task : each.part))
    .filter(({ lane }) => taskLanes.includes(lane));
}

import type { Lane } from '@guise/contract/task.ts';
import { EXPECTED_SECONDS, type LaneTags } from '@guise/server/tasks/queue/claim-tasks.ts';
import { Heap } from './heap.ts';

/** Task or part that waits. */
export interface Waiting {
  readonly lane: Lane;
  readonly startTag: number;
  /** Time at which it was created, in seconds. */
  readonly createdAt: number;
}

/** Seconds that a part takes, roughly, as `tasks/queue/claim-parts.ts` has it. */
const EXPECTED_PART_SECONDS = 10;

/** Lanes that a claim may take tasks of, and parts. */
export interface ClaimedLanes {
  readonly tasks: readonly Lane[];
  readonly parts: readonly Lane[];
}

/** Queue of the service: what `claimTasks` and `claimParts` take, in the order in which they do. */
export class FairQueue<T extends Waiting, P extends Waiting> {
  readonly #tasks = { short: byTag<T>(), long: byTag<T>() };
  readonly #parts = { short: byTag<P>(), long: byTag<P>() };
  /** Highest start tags claimed, which new tasks begin at. */
  readonly virtualTime: LaneTags = { short: 0, long: 0 };

  /** Number of tasks that wait. */
  get tasksWaiting(): number {
    return this.#tasks.short.size + this.#tasks.long.size;
  }

  addTask(task: T): void {
    this.#tasks[task.lane].push(task);
  }

  addPart(part: P): void {
    this.#parts[part.lane].push(part);
  }

  hasParts(lane: Lane): boolean {
    return this.#parts[lane].size > 0;
  }

  /** Takes tasks of the lane whose first has waited longest for what it takes. */
  claimTasks(now: number, lanes: readonly Lane[], limit: number): T[] {
    const lane = mostUrgent(lanes, (each) => {
      const head = this.#tasks[each].peek();
      return head === undefined ? null : (now - head.createdAt) / EXPECTED_SECONDS[each];
    });
    const claimed: T[] = [];
    if (lane === null) return claimed;
    while (claimed.length < limit && this.#tasks[lane].size > 0) {
      const task = this.#tasks[lane].pop()!;
      this.virtualTime[lane] = Math.max(this.virtualTime[lane], task.startTag);
      claimed.push(task);
    }
    return claimed;
  }

  /** Takes parts, unless a task of their lane begins earlier or another lane's turn has come. */
  claimParts(now: number, lanes: ClaimedLanes, limit: number): P[] {
    const asked = [...new Set([...lanes.parts, ...lanes.tasks])];
    const taskOf = (lane: Lane): T | undefined =>
      lanes.tasks.includes(lane) ? this.#tasks[lane].peek() : undefined;
    const partOf = (lane: Lane): P | undefined =>
      lanes.parts.includes(lane) ? this.#parts[lane].peek() : undefined;
    const lane = mostUrgent(asked, (each) => {
      const [task, part] = [taskOf(each), partOf(each)];
      if (part !== undefined && part.startTag <= (task?.startTag ?? Infinity))
        return (now - part.createdAt) / EXPECTED_PART_SECONDS;
      return task === undefined ? null : (now - task.createdAt) / EXPECTED_SECONDS[each];
    });
    const claimed: P[] = [];
    if (lane === null) return claimed;
    const lastTag = taskOf(lane)?.startTag ?? Infinity;
    for (let next = partOf(lane); next !== undefined && next.startTag <= lastTag; next = partOf(lane)) {
      if (claimed.length === limit) break;
      claimed.push(this.#parts[lane].pop()!);
      if (lanes.tasks.includes(lane))
        this.virtualTime[lane] = Math.max(this.virtualTime[lane], next.startTag);
    }
    return claimed;
  }
}

function byTag<W extends Waiting>(): Heap<W> {
  return new Heap<W>(
    (a, b) => a.startTag < b.startTag || (a.startTag === b.startTag && a.createdAt < b.createdAt),
  );
}

/** @param urgencyOf null: nothing waits there */
function mostUrgent(lanes: readonly Lane[], urgencyOf: (lane: Lane) => number | null): Lane | null {
  let best: { readonly lane: Lane; readonly urgency: number } | null = null;
  for (const lane of lanes) {
    const urgency = urgencyOf(lane);
    if (urgency !== null && (best === null || urgency > best.urgency)) best = { lane, urgency };
  }
  return best?.lane ?? null;
}

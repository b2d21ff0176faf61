import type { Lane } from '@guise/contract/task.ts';
import type { Host } from './host.ts';
import type { SimPart, SimTask } from './sim-task.ts';
import type { World } from './world.ts';

/** Longest pause between two looks at the queue, as `worker/slot.ts` has it. */
const POLL_SECONDS = 1;
/** Head start of a slot before the next one, as `worker/work/work-signal.ts` has it. */
const HEAD_START_SECONDS = 0.003;
/** Least time between two writes of the virtual time, as `tasks/queue/lane-clock.ts` has it. */
const NOTE_SECONDS = 0.1;
/** Time between two looks through the whole queue, or for parts that nobody spoke of. */
const LOOK_SECONDS = 1;
/** Tasks that a worker leads for each slot for long work, as `worker/work/leaders.ts` has it. */
const LED_A_SLOT = 2;

interface Slot {
  readonly lanes: readonly Lane[];
  isIdle: boolean;
  /** Count of its waits, so that an old timer does not end a new one. */
  waits: number;
}

/** Gives work to a worker's slot and says when the slot is free again. */
export interface Performer {
  task(task: SimTask, worker: SimWorker, free: () => void): void;
  part(part: SimPart, worker: SimWorker, free: () => void): void;
}

/** Worker process with its slots, which claims as `Claimer` and `runSlot` do. */
export class SimWorker {
  readonly host: Host;
  /** Tasks whose files it has fetched. */
  readonly fetched = new Set<number>();
  readonly #world: World;
  readonly #performer: Performer;
  readonly #slots: readonly Slot[];
  readonly #asks: Slot[] = [];
  readonly #mostLed: number;
  #led = 0;
  #wakes = 0;
  #isClaiming = false;
  #partsMayWait = false;
  #lookedForParts = -Infinity;
  #lookedAtAll = -Infinity;
  #noted = -Infinity;

  /** @param slots at least 2, of which the first is kept for short work */
  constructor(world: World, host: Host, slots: number, performer: Performer) {
    this.#world = world;
    this.host = host;
    this.#performer = performer;
    this.#mostLed = LED_A_SLOT * Math.max(1, slots - 1);
    this.#slots = Array.from({ length: slots }, (_, at) => ({
      lanes: at === 0 ? (['short'] as const) : (['short', 'long'] as const),
      isIdle: false,
      waits: 0,
    }));
    // Not all workers of an installation look at the queue in the same moment.
    for (const slot of this.#slots) world.clock.after(world.random.next(), () => this.#ask(slot));
  }

  /** Wakes the slots of a lane that wait. */
  wake(lane: Lane, what: 'tasks' | 'parts'): void {
    this.#wakes += 1;
    if (what === 'parts') this.#partsMayWait = true;
    let turn = 0;
    for (let at = this.#slots.length - 1; at >= 0; at--) {
      const slot = this.#slots[at]!;
      if (!slot.isIdle || !slot.lanes.includes(lane)) continue;
      if (turn === 0) this.#ask(slot);
      else this.#askLater(slot, turn * HEAD_START_SECONDS);
      turn += 1;
    }
  }

  /** Begins to lead a task. */
  lead(): void {
    this.#led += 1;
  }

  /** Ends leading a task, which leaves room for another. */
  endLead(): void {
    this.#led -= 1;
    this.wake('long', 'tasks');
  }

  #askLater(slot: Slot, seconds: number): void {
    const { waits } = slot;
    this.#world.clock.after(seconds, () => {
      if (slot.isIdle && slot.waits === waits) this.#ask(slot);
    });
  }

  #ask(slot: Slot): void {
    slot.isIdle = false;
    this.#asks.push(slot);
    if (!this.#isClaiming) this.#serve();
  }

  /** Claims for the slot that asked first, and those that asked for the same. */
  #serve(): void {
    const first = this.#asks[0];
    this.#isClaiming = first !== undefined;
    if (first === undefined) return;
    const served = this.#asks.filter(({ lanes }) => lanes.length === first.lanes.length);
    for (const slot of served) this.#asks.splice(this.#asks.indexOf(slot), 1);
    const wakes = this.#wakes;
    this.#claim(first.lanes, served.length, (tasks, parts) => {
      for (const part of parts) this.#give(served.shift()!, (free) => this.#performer.part(part, this, free));
      for (const task of tasks) this.#give(served.shift()!, (free) => this.#performer.task(task, this, free));
      for (const slot of served) this.#rest(slot, wakes);
      const isNoteDue = this.#world.clock.now - this.#noted >= NOTE_SECONDS;
      if (tasks.length + parts.length === 0 || !isNoteDue) return this.#serve();
      this.#noted = this.#world.clock.now;
      // One statement a lane.
      this.#world.query('heartbeat', 2, () => this.#serve());
    });
  }

  #give(slot: Slot, perform: (free: () => void) => void): void {
    perform(() => this.#ask(slot));
  }

  /** Waits for work, unless some came since it asked. */
  #rest(slot: Slot, wakes: number): void {
    if (wakes !== this.#wakes) return this.#world.clock.after(0, () => this.#ask(slot));
    slot.isIdle = true;
    slot.waits += 1;
    this.#askLater(slot, POLL_SECONDS);
  }

  #claim(
    lanes: readonly Lane[],
    limit: number,
    done: (tasks: readonly SimTask[], parts: readonly SimPart[]) => void,
  ): void {
    const { clock, queue } = this.#world;
    const hasRoom = this.#led < this.#mostLed;
    const taskLanes = hasRoom ? lanes : lanes.filter((lane) => lane !== 'long');
    const claimTasks = (parts: readonly SimPart[]): void => {
      if (parts.length === limit || taskLanes.length === 0) return done([], parts);
      this.#claimTasks(taskLanes, limit - parts.length, (tasks) => done(tasks, parts));
    };
    const claimParts = (): void => {
      const isLookDue = clock.now - this.#lookedForParts >= LOOK_SECONDS;
      if (!lanes.includes('long') || !(this.#partsMayWait || isLookDue)) return claimTasks([]);
      this.#lookedForParts = clock.now;
      this.#world.claim(
        'claimedPart',
        () => {
          const parts = queue.claimParts(clock.now, { tasks: taskLanes, parts: lanes }, limit);
          this.#partsMayWait = queue.hasParts('long');
          return parts;
        },
        claimTasks,
      );
    };
    if (clock.now - this.#lookedAtAll < LOOK_SECONDS) return claimParts();
    this.#lookedAtAll = clock.now;
    this.#world.query('poll', 1, claimParts);
  }

  /** Claims tasks; if none is found, each lane is looked through from its very start. */
  #claimTasks(lanes: readonly Lane[], limit: number, done: (tasks: readonly SimTask[]) => void): void {
    const { clock, queue } = this.#world;
    const looks = [lanes, ...lanes.map((lane) => [lane])];
    const look = (): void => {
      const asked = looks.shift();
      if (asked === undefined) return done([]);
      this.#world.claim(
        'claimedTask',
        () => queue.claimTasks(clock.now, asked, limit),
        (tasks) => (tasks.length > 0 ? done(tasks) : look()),
      );
    };
    look();
  }
}

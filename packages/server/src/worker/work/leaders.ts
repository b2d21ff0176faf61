import { isFilm, type WorkSpec } from '../../tasks/task.ts';

/** Tasks that a worker leads at most for each of its slots for long work. */
const LED_TASKS_A_SLOT = 2;

/**
 * Returns whether a task is led: cut into parts that any worker takes, so that leading it needs no
 * engine.
 */
export function isLed(work: WorkSpec): boolean {
  return work.kind === 'swap-batch' || isFilm(work);
}

/** Tasks that this worker leads beside its slots. */
export class Leaders {
  readonly #capacity: number;
  readonly #running = new Set<Promise<void>>();
  readonly #onRoom: () => void;

  /** @param longSlots slots that take long work; @param onRoom called when there is room again */
  constructor(longSlots: number, onRoom: () => void) {
    this.#capacity = LED_TASKS_A_SLOT * longSlots;
    this.#onRoom = onRoom;
  }

  /** Whether another task may be led; without a bound, one worker would lead all that wait. */
  get hasRoom(): boolean {
    return this.#running.size < this.#capacity;
  }

  /** Adds the work of a leader, which never rejects. */
  add(run: Promise<void>): void {
    const tracked = run.finally(() => {
      this.#running.delete(tracked);
      this.#onRoom();
    });
    this.#running.add(tracked);
  }

  /** Waits for all. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}

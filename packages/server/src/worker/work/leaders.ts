import { isFilm, type WorkSpec } from '../../tasks/task.ts';

/** Largest number of tasks that a worker leads for each of its slots for long work. */
const LED_TASKS_A_SLOT = 2;

/**
 * Returns whether a task is led: it is divided into parts for any worker, and its leader needs no
 * engine.
 */
export function isLed(work: WorkSpec): boolean {
  return work.kind === 'swap-batch' || isFilm(work);
}

/** Tasks that this worker leads. They occupy no slots. */
export class Leaders {
  readonly #capacity: number;
  readonly #running = new Set<Promise<void>>();
  readonly #onRoom: () => void;

  /**
   * @param longSlots number of slots for long work; @param onRoom called when another task may be
   * led
   */
  constructor(longSlots: number, onRoom: () => void) {
    this.#capacity = LED_TASKS_A_SLOT * longSlots;
    this.#onRoom = onRoom;
  }

  /** Whether another task may be led. Without a limit, one worker would lead all waiting tasks. */
  get hasRoom(): boolean {
    return this.#running.size < this.#capacity;
  }

  /** Adds the promise of a led task, which must never reject. */
  add(run: Promise<void>): void {
    const tracked = run.finally(() => {
      this.#running.delete(tracked);
      this.#onRoom();
    });
    this.#running.add(tracked);
  }

  /** Waits until all leaders have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}

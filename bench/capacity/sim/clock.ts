import { Heap } from './heap.ts';

interface Event {
  readonly time: number;
  readonly order: number;
  readonly run: () => void;
}

/** Simulated time, in seconds: runs what was planned, in its order. */
export class Clock {
  #now = 0;
  #order = 0;
  readonly #events = new Heap<Event>((a, b) => a.time < b.time || (a.time === b.time && a.order < b.order));

  get now(): number {
    return this.#now;
  }

  /** Plans something for `seconds` from now; of the same moment, the first planned is first. */
  after(seconds: number, run: () => void): void {
    this.#events.push({ time: this.#now + seconds, order: this.#order++, run });
  }

  /** Runs until `endSeconds`, or until nothing is planned any more. */
  runUntil(endSeconds: number): void {
    for (let next = this.#events.peek(); next !== undefined; next = this.#events.peek()) {
      if (next.time > endSeconds) break;
      this.#events.pop();
      this.#now = next.time;
      next.run();
    }
    if (Number.isFinite(endSeconds)) this.#now = endSeconds;
  }
}

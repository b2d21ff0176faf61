/** Random numbers that a seed determines (mulberry32). */
export class Random {
  #state: number;

  /** @param seed whole number */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number of [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an exponential number, such as the time between two arrivals. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** Picks one of the values, all alike. @param values at least one */
  oneOf<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() * values.length)]!;
  }

  /** Picks one by its weight. @param weights at least one above 0 */
  pick<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let rest = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) if ((rest -= weight) < 0) return name;
    return entries.at(-1)![0];
  }
}

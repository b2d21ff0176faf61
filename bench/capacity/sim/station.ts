import type { Clock } from './clock.ts';
import type { Host } from './host.ts';

interface Request {
  readonly begin: () => number;
  readonly done: () => void;
}

/** Length of the part of a line that was served, from which on it is cut off. */
const SERVED_LENGTH = 1000;

/** Place where the database's statements run. */
export interface StatementRunner {
  /** Time of all statements that were begun, in seconds. */
  readonly busySeconds: number;
  /** Number of statements that were begun. */
  readonly served: number;
  /**
   * Runs a statement. @param begin does what is asked, and returns the CPU time that it takes, in
   * seconds; @param done called at the end
   */
  serve(begin: () => number, done: () => void): void;
}

/** A database that shares a host with engines. */
export class HostStation implements StatementRunner {
  readonly #clock: Clock;
  readonly #host: Host;
  busySeconds = 0;
  served = 0;

  constructor(clock: Clock, host: Host) {
    this.#clock = clock;
    this.#host = host;
  }

  serve(begin: () => number, done: () => void): void {
    const seconds = begin();
    this.busySeconds += seconds;
    this.served += 1;
    if (seconds > 0) this.#host.run(seconds, 1, done);
    else this.#clock.after(0, done);
  }
}

/** Servers with one line before them: the cores of a database's own machine. */
export class Station implements StatementRunner {
  readonly #clock: Clock;
  readonly #servers: number;
  #line: Request[] = [];
  #head = 0;
  #busy = 0;
  #busySeconds = 0;
  #served = 0;

  /** @param servers those that work at once */
  constructor(clock: Clock, servers: number) {
    this.#clock = clock;
    this.#servers = servers;
  }

  /** Time of all servers that the requests have taken that were begun, in seconds. */
  get busySeconds(): number {
    return this.#busySeconds;
  }

  /** Number of requests that were begun. */
  get served(): number {
    return this.#served;
  }

  serve(begin: () => number, done: () => void): void {
    this.#line.push({ begin, done });
    this.#advance();
  }

  #advance(): void {
    while (this.#busy < this.#servers && this.#head < this.#line.length) {
      const { begin, done } = this.#line[this.#head++]!;
      if (this.#head > SERVED_LENGTH && 2 * this.#head > this.#line.length) {
        this.#line = this.#line.slice(this.#head);
        this.#head = 0;
      }
      this.#busy += 1;
      this.#served += 1;
      const seconds = begin();
      this.#busySeconds += seconds;
      this.#clock.after(seconds, () => {
        this.#busy -= 1;
        done();
        this.#advance();
      });
    }
  }
}

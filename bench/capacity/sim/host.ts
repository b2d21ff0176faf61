import type { Clock } from './clock.ts';

interface Job {
  /** CPU time that is left, in seconds. */
  left: number;
  /** Most cores that its threads keep busy. */
  readonly mostCores: number;
  cores: number;
  readonly done: () => void;
}

/** Remaining CPU time that counts as none: rounding leaves some. */
const NOTHING_LEFT = 1e-9;

/**
 * Machine whose cores its jobs share equally, each as many as it can use, with whatever else runs
 * on it.
 */
export class Host {
  readonly #clock: Clock;
  readonly #cores: number;
  readonly #others: number;
  readonly #jobs = new Set<Job>();
  #since = 0;
  #plan = 0;
  #busySeconds = 0;

  /** @param others threads of other programs that are always ready to run */
  constructor(clock: Clock, cores: number, others = 0) {
    this.#clock = clock;
    this.#cores = cores;
    this.#others = others;
  }

  /** CPU time that its jobs have had so far, in seconds. */
  get busySeconds(): number {
    this.#advance();
    return this.#busySeconds;
  }

  /** Runs a job. @param done called at its end */
  run(cpuSeconds: number, mostCores: number, done: () => void): void {
    this.#advance();
    this.#jobs.add({ left: cpuSeconds, mostCores, cores: 0, done });
    this.#share();
  }

  #advance(): void {
    const seconds = this.#clock.now - this.#since;
    this.#since = this.#clock.now;
    for (const job of this.#jobs) {
      job.left -= seconds * job.cores;
      this.#busySeconds += seconds * job.cores;
    }
  }

  /** Gives the cores to the jobs, and plans the next end of one. */
  #share(): void {
    const jobs = [...this.#jobs].sort((a, b) => a.mostCores - b.mostCores);
    const threads = jobs.reduce((sum, job) => sum + job.mostCores, this.#others);
    // All threads get equal shares, the others' too.
    let cores = threads > this.#cores ? (this.#cores * (threads - this.#others)) / threads : this.#cores;
    for (const [at, job] of jobs.entries()) {
      job.cores = Math.min(job.mostCores, cores / (jobs.length - at));
      cores -= job.cores;
    }
    const plan = ++this.#plan;
    if (jobs.length === 0) return;
    const next = Math.min(...jobs.map((job) => Math.max(0, job.left) / job.cores));
    this.#clock.after(next, () => {
      if (plan === this.#plan) this.#endSome();
    });
  }

  #endSome(): void {
    this.#advance();
    const ended = [...this.#jobs].filter((job) => job.left <= NOTHING_LEFT);
    for (const job of ended) this.#jobs.delete(job);
    this.#share();
    for (const job of ended) job.done();
  }
}

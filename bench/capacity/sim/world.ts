import type { Clock } from './clock.ts';
import type { FairQueue } from './fair-queue.ts';
import type { Inputs, Statement } from './inputs.ts';
import type { Random } from './random.ts';
import type { SimPart, SimTask } from './sim-task.ts';
import type { StatementRunner } from './station.ts';

/** What all workers have in common: time, chance, queue, database and store. */
export class World {
  readonly clock: Clock;
  readonly random: Random;
  readonly queue: FairQueue<SimTask, SimPart>;
  readonly inputs: Inputs;
  readonly database: StatementRunner;
  /** Time of one request to the store, in seconds. */
  readonly storeSeconds: number;

  constructor(parts: Pick<World, 'clock' | 'random' | 'queue' | 'inputs' | 'database' | 'storeSeconds'>) {
    this.clock = parts.clock;
    this.random = parts.random;
    this.queue = parts.queue;
    this.inputs = parts.inputs;
    this.database = parts.database;
    this.storeSeconds = parts.storeSeconds;
  }

  /** Runs so many statements of a kind, in one piece. */
  query(statement: Statement, count: number, done: () => void = () => {}): void {
    this.database.serve(() => count * this.inputs.database[statement], done);
  }

  /** Claims tasks or parts, which takes the longer the more there are. */
  claim<T>(
    each: 'claimedTask' | 'claimedPart',
    take: () => readonly T[],
    done: (taken: readonly T[]) => void,
  ): void {
    const { database } = this.inputs;
    let taken: readonly T[] = [];
    this.database.serve(
      () => {
        taken = take();
        return taken.length === 0 ? database.emptyClaim : database.claim + taken.length * database[each];
      },
      () => done(taken),
    );
  }
}

import type { Plan } from '@guise/contract/plans.ts';
import type { Arrival } from './arrivals.ts';
import { Clock } from './clock.ts';
import { FairQueue } from './fair-queue.ts';
import { Host } from './host.ts';
import type { Inputs } from './inputs.ts';
import { makePerformer } from './perform.ts';
import { Random } from './random.ts';
import type { SimPart, SimTask } from './sim-task.ts';
import { SimWorker } from './sim-worker.ts';
import { takeStartTag } from './start-tags.ts';
import { HostStation, Station } from './station.ts';
import { World } from './world.ts';

/** Time in which a notification reaches all workers. */
const NOTIFY_SECONDS = 0.001;

/** Machines of an installation. */
export interface Installation {
  readonly hosts: number;
  readonly coresAHost: number;
  readonly workersAHost: number;
  /** Slots of each worker, the one for short work included. */
  readonly slots: number;
  /** Cores of the database's own machine; null: API and database run on the first host. */
  readonly databaseCores: number | null;
  /** Time of one request to the store. */
  readonly storeSeconds: number;
  /** Threads of other programs that are always ready to run on each host. Default: 0. */
  readonly others?: number;
}

/** What happens to an installation. */
export interface Scenario {
  readonly seed: number;
  readonly installation: Installation;
  /** Plans of the accounts. */
  readonly accounts: readonly Plan[];
  /** Tasks that are created, in their order. */
  readonly arrivals: readonly Arrival[];
  /** Time between two polls of a client for its task, in seconds; null: nobody asks. */
  readonly pollSeconds: number | null;
  /** Whether films are cut into segments; else each is one pass in one slot. */
  readonly cutsFilms: boolean;
  /** End of simulated time, in seconds. */
  readonly seconds: number;
}

export interface Outcome {
  /** Every task that was created, in its order. */
  readonly tasks: readonly SimTask[];
  /** Share of the hosts' cores that was busy with this work. */
  readonly coresBusy: number;
  /** Share of the database's cores that was busy; of the first host's, if it runs there. */
  readonly databaseBusy: number;
  readonly statements: number;
}

/** Runs an installation in simulated time. The same scenario gives the same outcome. */
export function simulate(inputs: Inputs, scenario: Scenario): Outcome {
  const { installation, pollSeconds, seconds, cutsFilms } = scenario;
  const { databaseCores, storeSeconds, others } = installation;
  const clock = new Clock();
  const random = new Random(scenario.seed);
  const hosts = Array.from(
    { length: installation.hosts },
    () => new Host(clock, installation.coresAHost, others),
  );
  const database =
    databaseCores === null ? new HostStation(clock, hosts[0]!) : new Station(clock, databaseCores);
  const queue = new FairQueue<SimTask, SimPart>();
  const world = new World({ clock, random, queue, inputs, database, storeSeconds });
  const workers: SimWorker[] = [];
  const wakeAll = (lane: SimTask['lane'], what: 'tasks' | 'parts'): void =>
    clock.after(NOTIFY_SECONDS, () => {
      for (const worker of workers) worker.wake(lane, what);
    });
  const performer = makePerformer(world, {
    cutsFilms,
    isAllInOne: databaseCores === null,
    onParts: () => wakeAll('long', 'parts'),
  });
  for (const host of hosts) {
    for (let n = 0; n < installation.workersAHost; n++)
      workers.push(new SimWorker(world, host, installation.slots, performer));
  }

  const accounts = scenario.accounts.map((plan) => ({ plan, finishTags: { short: 0, long: 0 } }));
  const tasks: SimTask[] = [];
  const create = ({ account: at, order }: Arrival): void => {
    const lane = order.kind === 'photo' ? 'short' : 'long';
    // With the request's admission, and its two uploads registered.
    world.query('poll', 1);
    world.query('heartbeat', 2);
    world.query('create', 1, () => {
      const account = accounts[at]!;
      const startTag = takeStartTag(account, lane, order.credits, queue.virtualTime[lane]);
      const times = { createdAt: clock.now, startedAt: null, finishedAt: null };
      const task: SimTask = {
        id: tasks.length,
        lane,
        startTag,
        account: at,
        plan: account.plan,
        order,
        ...times,
      };
      tasks.push(task);
      queue.addTask(task);
      wakeAll(lane, 'tasks');
      if (pollSeconds !== null) pollFor(task, pollSeconds);
    });
  };
  const pollFor = (task: SimTask, pause: number): void =>
    clock.after(pause, () =>
      world.query('poll', 1, () => {
        if (task.finishedAt === null) pollFor(task, pause);
      }),
    );
  const arriveFrom = (at: number): void => {
    const arrival = scenario.arrivals[at];
    if (arrival === undefined) return;
    clock.after(arrival.atSeconds - clock.now, () => {
      create(arrival);
      arriveFrom(at + 1);
    });
  };
  arriveFrom(0);

  // Without an end, what is idle would ask for ever.
  clock.runUntil(seconds);
  const busySeconds = hosts.reduce((sum, host) => sum + host.busySeconds, 0);
  return {
    tasks,
    coresBusy: busySeconds / seconds / (installation.hosts * installation.coresAHost),
    databaseBusy: database.busySeconds / seconds / (databaseCores ?? installation.coresAHost),
    statements: database.served,
  };
}

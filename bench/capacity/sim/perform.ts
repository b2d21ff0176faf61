import { FILM_STEPS, type FilmStep } from '@guise/server/tasks/parts/part.ts';
import { SHARE_BEFORE } from '@guise/server/worker/film/film-steps.ts';
import { SEGMENT_SECONDS, type Work } from './inputs.ts';
import type { PartStep, SimPart, SimTask } from './sim-task.ts';
import type { Performer, SimWorker } from './sim-worker.ts';
import { virtualCost } from './start-tags.ts';
import type { World } from './world.ts';

/** Pause between two heartbeats of a film's part, which shows its progress. */
const PROGRESS_SECONDS = 1;
/** Items of a batch that share a place in the queue, as `worker/batch/perform-batch.ts` has it. */
const ITEMS_A_PLACE = 8;

export interface PerformOptions {
  /** Whether films are cut into segments; else each is one pass in one slot. */
  readonly cutsFilms: boolean;
  /** Whether API and database share the machines of the workers. */
  readonly isAllInOne: boolean;
  /** Tells all workers that parts wait. */
  readonly onParts: () => void;
}

/** Makes what slots do with the work that they claimed. */
export function makePerformer(world: World, options: PerformOptions): Performer {
  const { clock, inputs } = world;
  const { cutsFilms, isAllInOne } = options;

  /** Gets a task's files to a worker's machine, which keeps them while it has parts of it. */
  const fetch = (task: SimTask, worker: SimWorker, done: () => void): void => {
    const isThere = worker.fetched.has(task.id);
    worker.fetched.add(task.id);
    clock.after(isThere ? 0 : world.storeSeconds, done);
  };
  const still = (
    kind: 'photo' | 'item',
    { cpuSeconds, cores }: Work,
    worker: SimWorker,
    done: () => void,
  ): void => {
    const { worker: workerSeconds, api } = inputs[kind];
    worker.host.run(cpuSeconds, cores, done);
    worker.host.run(workerSeconds + (isAllInOne ? api : 0), 1, () => {});
  };
  const store = (done: () => void): void => {
    world.query('heartbeat', 1, () => clock.after(world.storeSeconds, done));
  };
  const finish = (task: SimTask, done: () => void): void => {
    world.query('finish', 1, () => {
      task.finishedAt = clock.now;
      done();
      // Its inputs are deleted.
      world.query('heartbeat', 1);
    });
  };
  const offer = (task: SimTask, step: PartStep, works: readonly Work[], onAllDone: () => void): void => {
    let left = works.length;
    const cost = virtualCost(task.plan, task.order.credits);
    world.query('heartbeat', works.length, () => {
      for (const [at, engineWork] of works.entries()) {
        world.queue.addPart({
          lane: task.lane,
          createdAt: clock.now,
          startTag: task.startTag + cost * shareBefore(step, at, works.length),
          task,
          step,
          engineWork,
          onDone: () => {
            left -= 1;
            // The leader reads it, and shows it to the client.
            world.query('heartbeat', 2, left > 0 ? undefined : onAllDone);
          },
        });
      }
      options.onParts();
    });
  };
  const leadBatch = (task: SimTask, end: () => void): void => {
    const items = Array.from({ length: task.order.size }, () => world.random.oneOf(inputs.item.engine));
    offer(task, 'item', items, () => finish(task, end));
  };
  const leadFilm = (task: SimTask, end: () => void): void => {
    const seconds = task.order.size;
    const segments = Math.max(1, Math.round(seconds / SEGMENT_SECONDS));
    const steps: [FilmStep, number][] = [
      ['cut', 1],
      ['study', segments],
      ['choose', 1],
      ['draw', segments],
      ['join', 1],
    ];
    const next = (): void => {
      const step = steps.shift();
      if (step === undefined) return finish(task, end);
      const [name, count] = step;
      const { cpuSeconds, cores } = inputs.film.steps[name];
      const work = { cpuSeconds: (cpuSeconds * seconds) / count, cores };
      offer(
        task,
        name,
        Array.from({ length: count }, () => work),
        next,
      );
    };
    next();
  };
  /** Runs a film's job, with a heartbeat a second. */
  const runFilmJob = (worker: SimWorker, { cpuSeconds, cores }: Work, done: () => void): void => {
    let isRunning = true;
    const beat = (): void =>
      clock.after(PROGRESS_SECONDS, () => {
        if (!isRunning) return;
        world.query('heartbeat', 1);
        beat();
      });
    beat();
    worker.host.run(cpuSeconds, cores, () => {
      isRunning = false;
      done();
    });
  };

  return {
    task(task, worker, free) {
      task.startedAt = clock.now;
      const { kind, size } = task.order;
      if (kind === 'photo' || (kind === 'film' && !cutsFilms)) {
        const end = (): void => store(() => finish(task, free));
        fetch(task, worker, () => {
          if (kind === 'photo') still('photo', world.random.oneOf(inputs.photo.engine), worker, end);
          else {
            const { cpuSeconds, cores } = inputs.film.onePass;
            runFilmJob(worker, { cpuSeconds: cpuSeconds * size, cores }, end);
          }
        });
        return;
      }
      worker.lead();
      const end = (): void => worker.endLead();
      if (kind === 'batch') leadBatch(task, end);
      else leadFilm(task, end);
      free();
    },
    part({ task, step, engineWork, onDone }: SimPart, worker, free) {
      const record = (): void => store(() => world.query('finishPart', 1, onDone));
      fetch(task, worker, () => {
        if (step !== 'item') return runFilmJob(worker, engineWork, () => (record(), free()));
        // Its engine takes the next one while this is stored.
        still('item', engineWork, worker, () => (free(), record()));
      });
    },
  };
}

/** Returns the share of a task's work that comes before a part. */
function shareBefore(step: PartStep, at: number, count: number): number {
  if (step === 'item') return (ITEMS_A_PLACE * Math.floor(at / ITEMS_A_PLACE)) / count;
  const next = FILM_STEPS[FILM_STEPS.indexOf(step) + 1] ?? 'end';
  return SHARE_BEFORE[step] + ((SHARE_BEFORE[next] - SHARE_BEFORE[step]) * at) / count;
}

import { type Figure, round } from './report/figures.ts';
import { compare } from './capacity/compare.ts';
import { readMeasured } from './capacity/sim/measured.ts';
import {
  DATABASE_CORES,
  filmLengths,
  LOADS,
  MACHINE_COUNTS,
  throughputOf,
  waitsBesideBurst,
  waitsBesideFilms,
} from './capacity/questions.ts';
import { readReplayed } from './capacity/replayed.ts';
import { inputsOf } from './capacity/sim/inputs.ts';

/** Machines on which a film of ten minutes must be quick, of two cores each. */
const FILM_GOAL = { machines: 4, goal: { atMost: 0.35 } };

/**
 * Simulates installations of 1 to 100 machines with what `bench/capacity-runs/measure.ts` measured
 * before: the same figures on any machine.
 */
export function benchCapacity(say: (what: string) => void): Figure[] {
  const inputs = inputsOf(readMeasured());
  const figures: Figure[] = [];
  for (const cores of DATABASE_CORES) {
    say(`capacity: a database of ${cores} cores`);
    for (const machines of MACHINE_COUNTS) {
      const { perSecond } = throughputOf(inputs, machines, cores);
      const name = `photos a second, ${machines} machines, database of ${cores} cores`;
      figures.push({ name, value: Math.round(perSecond), unit: '/s' });
    }
  }
  say('capacity: waits');
  for (const load of LOADS) {
    const percent = Math.round(100 * load);
    for (const hasFilms of [false, true]) {
      const beside = hasFilms ? 'beside films' : 'alone';
      const { p50, p95 } = waitsBesideFilms(inputs, load, hasFilms);
      figures.push({ name: `wait of photos ${beside}, load ${percent} %, p50`, value: p50, unit: 's' });
      figures.push({ name: `wait of photos ${beside}, load ${percent} %, p95`, value: p95, unit: 's' });
    }
  }
  for (const hasBurst of [false, true]) {
    const { p95 } = waitsBesideBurst(inputs, hasBurst);
    const beside = hasBurst ? 'beside 1,000 of one account' : 'without them';
    figures.push({ name: `wait of others' photos ${beside}, p95`, value: p95, unit: 's' });
  }
  for (const { machines, seconds, overOnePass } of filmLengths(inputs)) {
    const film = `a film of 10 minutes, ${machines} x 2 cores`;
    const goal = machines === FILM_GOAL.machines ? { goal: FILM_GOAL.goal } : {};
    figures.push({ name: film, value: Math.round(seconds), unit: 's' });
    figures.push({ name: `${film}, over one pass`, value: round(overOnePass), unit: 'x', ...goal });
  }
  for (const { workers, real, simulated } of compare(inputs, readReplayed())) {
    for (const what of ['perSecond', 'p50', 'p95'] as const) {
      const name = `simulated over real, ${workers} workers, ${what}`;
      figures.push({ name, value: round(simulated[what] / real[what]), unit: 'x' });
    }
  }
  return figures;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { round } from '../../report/figures.ts';
import { Clock } from './clock.ts';
import { Host } from './host.ts';
import { Random } from './random.ts';
import { Station } from './station.ts';

/** Requests of each run: their mean waits are within some percent of the formulas'. */
const REQUESTS = 200_000;
const TOLERANCE = 0.08;

/** Mean wait of M/M/c (Erlang's C) with services of one second on average. */
function erlangWait(servers: number, perSecond: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k < servers; k++) sum += term *= perSecond / k;
  const all = (term * perSecond) / servers / (1 - perSecond / servers);
  return all / (sum + all) / (servers - perSecond);
}

/** Sends a Poisson process of requests. @param serve receives the length of each, mean 1 second */
function send(clock: Clock, random: Random, perSecond: number, serve: (seconds: number) => void): void {
  let left = REQUESTS;
  const next = (): void =>
    clock.after(random.exponential(1 / perSecond), () => {
      serve(random.exponential(1));
      if ((left -= 1) > 0) next();
    });
  next();
  clock.runUntil(Infinity);
}

function isNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual / expected - 1) < TOLERANCE, `${actual} is not about ${expected}`);
}

for (const [servers, perSecond] of [
  [1, 0.7],
  [2, 1.6],
  [8, 6.4],
] as const) {
  test(`${servers} servers under ${perSecond} requests a second wait as Erlang says`, () => {
    const clock = new Clock();
    const station = new Station(clock, servers);
    let waited = 0;
    send(clock, new Random(7), perSecond, (seconds) => {
      const since = clock.now;
      const begin = (): number => {
        waited += clock.now - since;
        return seconds;
      };
      station.serve(begin, () => {});
    });
    assert.equal(station.served, REQUESTS);
    isNear(waited / REQUESTS, erlangWait(servers, perSecond));
    isNear(station.busySeconds / clock.now, perSecond);
  });
}

test('jobs that share a core take as long as M/M/1 says, whatever the order', () => {
  const clock = new Clock();
  const host = new Host(clock, 1);
  let lasted = 0;
  send(clock, new Random(3), 0.75, (seconds) => {
    const since = clock.now;
    host.run(seconds, 1, () => (lasted += clock.now - since));
  });
  isNear(lasted / REQUESTS, 1 / (1 - 0.75));
});

/** When each of some jobs ends that begin together. @param jobs CPU seconds, and most cores */
function endsOf(cores: number, others: number, jobs: readonly (readonly [number, number])[]): number[] {
  const clock = new Clock();
  const host = new Host(clock, cores, others);
  const ends: number[] = [];
  for (const [at, [cpuSeconds, most]] of jobs.entries())
    host.run(cpuSeconds, most, () => (ends[at] = round(clock.now)));
  clock.runUntil(Infinity);
  return ends;
}

test('a job gets no more cores than it can use, and other programs their share', () => {
  assert.deepEqual(endsOf(2, 0, [[6, 1.5]]), [4]);
  assert.deepEqual(
    endsOf(2, 0, [
      [3, 1],
      [3, 1],
      [3, 1],
    ]),
    [4.5, 4.5, 4.5],
  );
  assert.deepEqual(endsOf(2, 3, [[2, 1]]), [4], 'four threads share two cores');
});

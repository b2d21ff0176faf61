/**
 * `node launch.cjs bench/capacity/draw.ts`: draws the charts of `docs/capacity.md` and prints its
 * tables.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compare, type Compared } from './compare.ts';
import { readMeasured } from './sim/measured.ts';
import { type Chart, drawChart } from './plot.ts';
import {
  DATABASE_CORES,
  filmLengths,
  LOADS,
  MACHINE_COUNTS,
  throughputOf,
  waitsBesideBurst,
  waitsBesideFilms,
} from './questions.ts';
import { readReplayed } from './replayed.ts';
import { inputsOf } from './sim/inputs.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/capacity');

const inputs = inputsOf(readMeasured());
await mkdir(FOLDER, { recursive: true });

const throughputs = DATABASE_CORES.map((cores) =>
  MACHINE_COUNTS.map((machines) => throughputOf(inputs, machines, cores)),
);
await chart('photos', {
  title: 'Photos a second over machines of two cores',
  x: { name: 'machines', ticks: [1, 2, 5, 10, 20, 50, 100], isLogarithmic: true },
  y: { name: 'photos a second', ticks: [10, 30, 100, 300, 1000, 3000], isLogarithmic: true },
  lines: throughputs.map((some, k) => ({
    name: `database of ${DATABASE_CORES[k]} cores`,
    points: some.map(({ machines, perSecond }) => [machines, perSecond]),
  })),
});
print(
  ['machines', ...DATABASE_CORES.map((cores) => `database of ${cores} cores (busy)`)],
  MACHINE_COUNTS.map((machines, at) =>
    [String(machines)].concat(
      throughputs.map((some) => `${Math.round(some[at]!.perSecond)} (${percent(some[at]!.databaseBusy)})`),
    ),
  ),
);

const [alone, beside] = [false, true].map((hasFilms) =>
  LOADS.map((load) => waitsBesideFilms(inputs, load, hasFilms)),
) as [Waits[], Waits[]];
type Waits = ReturnType<typeof waitsBesideFilms>;
const points = (waits: readonly Waits[], of: 'p50' | 'p95') =>
  waits.map((each): [number, number] => [100 * each.load, Math.max(0.001, each[of])]);
await chart('waits', {
  title: 'Waits of photos, alone and beside films that could fill all machines',
  x: { name: 'photos, % of what all cores can do', ticks: [0, 20, 40, 60, 80, 100] },
  y: { name: 'seconds from creation to claim', ticks: [0.001, 0.01, 0.1, 1, 10, 100], isLogarithmic: true },
  lines: [
    { name: 'alone, p50', points: points(alone, 'p50') },
    { name: 'alone, p95', points: points(alone, 'p95') },
    { name: 'beside films, p50', points: points(beside, 'p50') },
    { name: 'beside films, p95', points: points(beside, 'p95') },
  ],
});
print(
  ['load by photos', 'alone, p50', 'p95', 'beside films, p50', 'p95'],
  LOADS.map((load, at) =>
    [percent(load)].concat(
      [alone, beside].flatMap((some) => [seconds(some[at]!.p50), seconds(some[at]!.p95)]),
    ),
  ),
);
print(
  ['', 'p50', 'p95'],
  [false, true].map((hasBurst) => {
    const { p50, p95 } = waitsBesideBurst(inputs, hasBurst);
    return [hasBurst ? 'beside 1,000 of one account' : 'alone', seconds(p50), seconds(p95)];
  }),
);

const films = filmLengths(inputs);
await chart('film', {
  title: 'A film of ten minutes, time over one pass',
  x: { name: 'machines of two cores', ticks: [1, 2, 4, 8], isLogarithmic: true },
  y: { name: 'time over one pass', ticks: [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2] },
  lines: [{ name: 'in segments', points: films.map((each) => [each.machines, each.overOnePass]) }],
});
print(
  ['machines', 'seconds', 'over one pass'],
  films.map((each) => [String(each.machines), each.seconds.toFixed(0), each.overOnePass.toFixed(2)]),
);

const compared = compare(inputs, readReplayed());
const came = ({ real, simulated }: Compared, of: 'perSecond' | 'p50' | 'p95'): string =>
  `${real[of].toFixed(2)} / ${simulated[of].toFixed(2)} (${signed(simulated[of] / real[of] - 1)})`;
print(
  ['workers', 'others', 'pictures a second', 'wait p50, s', 'wait p95, s'],
  compared.map((each) => [
    String(each.workers),
    each.others.toFixed(1),
    came(each, 'perSecond'),
    came(each, 'p50'),
    came(each, 'p95'),
  ]),
);

async function chart(name: string, what: Chart): Promise<void> {
  await writeFile(path.join(FOLDER, `${name}.svg`), drawChart(what));
}

/** Prints a table as Markdown has them. */
function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function signed(share: number): string {
  return `${share < 0 ? '-' : '+'}${percent(Math.abs(share))}`;
}

function seconds(value: number): string {
  return `${value.toPrecision(2)} s`;
}

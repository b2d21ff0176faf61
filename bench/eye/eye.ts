/**
 * Lets people grade by eye how the swaps of two versions of the engine look. README.md in this
 * folder describes how.
 *
 *   npm run bench:eye -- swap --out DIR [--list everyday] [--only ID,ID]
 *   npm run bench:eye -- sheets --old DIR [--new DIR] --seed N --out DIR [--apart]
 *       [--list everyday] [--only ID,ID]
 *   npm run bench:eye -- page --sheets DIR --grades FILE --grader NAME [--port N]
 *   npm run bench:eye -- draw --list everyday > bench/eye/everyday.json
 *   npm run bench:eye -- table --key FILE --grades FILE --grades FILE --grades FILE [--record FILE]
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createEngine, type Engine } from '@guise/engine/pipeline/engine.ts';
import { skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { drawEveryday, formatPairs } from './draw-everyday.ts';
import { createGradePage } from './grade-page.ts';
import { makeOutputs } from './make-outputs.ts';
import { makeSheets } from './make-sheets.ts';
import { EVERYDAY_LISTS, LIST_NAMES, type Pair, readPairs } from './pair-list.ts';
import { printTable } from './table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    list: { type: 'string', default: 'hard' },
    only: { type: 'string' },
    old: { type: 'string' },
    new: { type: 'string' },
    seed: { type: 'string' },
    apart: { type: 'boolean', default: false },
    sheets: { type: 'string' },
    grader: { type: 'string' },
    port: { type: 'string', default: '0' },
    key: { type: 'string' },
    grades: { type: 'string', multiple: true },
    record: { type: 'string' },
    models: { type: 'string', default: path.join(os.tmpdir(), 'guise-bench-models') },
  },
});

const [command, ...more] = positionals;
const list = LIST_NAMES.find((name) => name === values.list) ?? unknownList();
if (more.length > 0) throw new Error(`Unexpected ${more.join(' ')}. Put the option's name before each file.`);
if (command === 'swap') await withEngine(swap);
else if (command === 'sheets') await withEngine(sheets);
else if (command === 'page') await page();
else if (command === 'table') await table();
else if (command === 'draw') await draw();
else throw new Error('The commands are swap, sheets, page, table and draw.');

async function swap(engine: Engine): Promise<void> {
  await makeOutputs(engine, list, await chosenPairs(), needed('out'));
}

async function sheets(engine: Engine): Promise<void> {
  const seed = Number(needed('seed'));
  if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number.');
  await makeSheets(engine, await chosenPairs(), {
    list,
    dirs: { old: needed('old'), ...(values.new === undefined ? {} : { new: values.new }) },
    seed,
    outDir: needed('out'),
    apart: values.apart,
  });
}

/** Reads the pairs that `--only` names, or all pairs of the list. */
async function chosenPairs(): Promise<readonly Pair[]> {
  const only = values.only?.split(',');
  return (await readPairs(list)).filter(({ id }) => !only || only.includes(id));
}

async function page(): Promise<void> {
  const server = await createGradePage({
    sheetDir: needed('sheets'),
    gradesFile: path.resolve(needed('grades')[0]!),
    grader: needed('grader'),
  });
  server.listen(Number(values.port), '127.0.0.1');
  await once(server, 'listening');
  console.log(`Grade at http://127.0.0.1:${(server.address() as AddressInfo).port}/; Ctrl+C ends it.`);
}

async function table(): Promise<void> {
  await printTable(needed('key'), needed('grades'), values.record);
}

async function draw(): Promise<void> {
  const drawn = EVERYDAY_LISTS.find((name) => name === list);
  if (!drawn) throw new Error(`--list must be one of ${EVERYDAY_LISTS.join(' and ')}.`);
  process.stdout.write(formatPairs(await drawEveryday(drawn)));
}

async function withEngine(run: (engine: Engine) => Promise<void>): Promise<void> {
  if (skipWithoutFixtures) {
    console.log(`Nothing to grade: ${skipWithoutFixtures}.`);
    return;
  }
  const engine = await createEngine({ modelCacheDir: values.models });
  try {
    await run(engine);
  } finally {
    await engine.close();
  }
}

function unknownList(): never {
  throw new Error(`The lists are ${LIST_NAMES.join(' and ')}.`);
}

type Option = Exclude<keyof typeof values, 'only' | 'apart' | 'record'>;

function needed<T extends Option>(name: T): NonNullable<(typeof values)[T]> {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing.`);
  return value;
}

/**
 * `npm run bench`: the figures of this machine, as a table; with `--json` as one JSON object. Works without fixtures.
 * Absolute figures depend on the machine; the ratios, taken in one run, are what to compare.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { benchApi } from './api-bench.ts';
import { benchEngine } from './engine-bench.ts';
import { benchImages } from './images-bench.ts';
import { benchKernels } from './kernels-bench.ts';
import { benchPictures } from './pictures.ts';
import { benchService } from './service-bench.ts';

const pictures = await benchPictures();
const modelCacheDir = await mkdtemp(path.join(tmpdir(), 'guise-bench-models-'));
try {
  say('engine: one megapixel, one thread');
  const engine = await benchEngine(pictures, modelCacheDir);
  say('kernels: 512 x 512, one thread');
  const kernels = benchKernels();
  say('images: one megapixel');
  const images = await benchImages(pictures);
  say('service: starts, photo latency, polls');
  const { service, used: api } = await benchService(pictures, (running, apiKey) =>
    benchApi(running, apiKey, pictures),
  );
  const report = { machine: machine(), engine, kernels, images, service, api };
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(report)}\n`);
  else printTable(report);
} finally {
  await rm(modelCacheDir, { recursive: true, force: true });
}

function machine(): Record<string, string | number> {
  return { cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), node: process.version };
}

/** Progress goes to stderr, so that stdout is the report alone. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** One figure a line; a distribution is one figure. */
function printTable(value: unknown, name = ''): void {
  if (typeof value !== 'object' || value === null) console.log(`${name.padEnd(44)} ${String(value)}`);
  else if ('p50' in value && 'p95' in value)
    console.log(`${name.padEnd(44)} p50 ${value.p50}  p95 ${value.p95}`);
  else
    for (const [key, each] of Object.entries(value)) printTable(each, name === '' ? key : `${name}.${key}`);
}

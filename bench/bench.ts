/**
 * `npm run bench`: the figures of this machine beside their goals, as a table; with `--json` as one JSON object; with
 * `--only engine,api` some sections. Works without fixtures and leaves nothing behind. Absolute figures depend on the machine;
 * the ratios, taken in one run, are what to compare.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { benchEngine } from './engine-bench.ts';
import type { Figure } from './figures.ts';
import { benchImages } from './images-bench.ts';
import { kernelFigures } from './kernels-bench.ts';
import { benchPictures } from './pictures.ts';
import { asJson, asTable, type Section } from './report.ts';
import { benchService } from './service-bench.ts';
import { benchVideoSpeed } from './video-speed.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const only = values.only?.split(',');
const isWanted = (...names: string[]): boolean =>
  only === undefined || names.some((name) => only.includes(name));

const sections: Section[] = [];
const add = (name: string, title: string, figures: Figure[]): void => {
  if (figures.length > 0) sections.push({ name, title, figures });
};
const pictures = await benchPictures();
const modelCacheDir = await mkdtemp(path.join(tmpdir(), 'guise-bench-models-'));
try {
  if (isWanted('engine')) {
    say('engine');
    add('engine', 'Engine, one megapixel, one thread', await benchEngine(pictures, modelCacheDir));
  }
  if (isWanted('kernels')) {
    say('kernels');
    add('kernels', 'Kernels, WebAssembly over their plain twins', kernelFigures());
  }
  if (isWanted('images')) {
    say('images');
    add('images', 'Files of one megapixel', await benchImages(pictures));
  }
  if (isWanted('video')) {
    say('video');
    add('video', 'Videos of one face, warm, without signing', await benchVideoSpeed(modelCacheDir));
  }
  if (isWanted('service')) {
    const { photos, api, stalls, scaling } = await benchService(pictures, say);
    add('photos', 'Photos through the service', photos);
    add('api', 'API process', api);
    add('stalls', 'Longest stall of the API while it takes', stalls);
    add('scaling', 'Cores and workers', scaling);
  }
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    node: process.version,
  };
  process.stdout.write(values.json ? `${asJson(machine, sections)}\n` : asTable(machine, sections));
} finally {
  await rm(modelCacheDir, { recursive: true, force: true });
}

/** Progress goes to stderr, so that stdout is the report alone. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

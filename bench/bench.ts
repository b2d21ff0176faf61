/**
 * `npm run bench`: prints the figures of this machine and their goals, as a table, or as one JSON
 * object with `--json`. `--only engine,api` runs only these sections.
 *
 * Works without fixtures and removes all its files. Absolute figures depend on the machine. Compare
 * the ratios, whose two values are measured in the same run.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { benchEngine } from './engine-bench.ts';
import type { Figure } from './report/figures.ts';
import { benchImages } from './images-bench.ts';
import { kernelFigures } from './kernels-bench.ts';
import { benchNetwork } from './network-bench.ts';
import { benchPictures } from './pictures.ts';
import { processTree } from './process-tree.ts';
import { benchQueue } from './queue-bench.ts';
import { asJson, asTable, type Section } from './report/report.ts';
import { benchService } from './service-bench.ts';
import { benchVideoMemory } from './video-memory.ts';
import { versionOfFfmpeg } from './video/video-cases.ts';
import { benchVideoSpeed } from './video/video-speed.ts';

/**
 * Names for `--only`. `service` means all sections that use a service: photos, api, stalls,
 * scaling.
 */
const PARTS = ['engine', 'kernels', 'network', 'images', 'video', 'service', 'queue'] as const;
type Part = (typeof PARTS)[number];
/** Longest time for ending everything. A service needs some seconds to finish its requests. */
const LEAVE_MS = 30_000;

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const only = values.only?.split(',');
const unknown = only?.filter((name) => !(PARTS as readonly string[]).includes(name)) ?? [];
if (unknown.length > 0) {
  process.stderr.write(`--only does not know ${unknown.join(', ')}; it takes ${PARTS.join(', ')}.\n`);
  process.exit(2);
}
const isWanted = (part: Part): boolean => only === undefined || only.includes(part);

const sections: Section[] = [];
const add = (name: string, title: string, figures: Figure[]): void => {
  if (figures.length > 0) sections.push({ name, title, figures });
};
// All temporary files are in one folder, which is always removed when this process ends.
const folder = mkdtempSync(path.join(tmpdir(), 'guise-bench-'));
// PostgreSQL may run as another user.
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave());

const pictures = await benchPictures();
const modelCacheDir = dataDirLayout(folder).models;
if (isWanted('engine')) {
  say('engine');
  add('engine', 'Engine, one megapixel, one thread', await benchEngine(pictures, modelCacheDir));
}
if (isWanted('kernels')) {
  say('kernels');
  add('kernels', 'Kernels, WebAssembly over their reference versions', kernelFigures());
}
if (isWanted('network')) {
  say('network');
  add('network', "A network of inswapper's size, one thread", await benchNetwork(pictures, modelCacheDir));
}
if (isWanted('images')) {
  say('images');
  add('images', 'Files of one megapixel', await benchImages(pictures));
}
if (isWanted('video')) {
  say('video');
  const speed = await benchVideoSpeed(modelCacheDir);
  add('video', 'Videos, warm; those of one person without signing', [
    ...speed,
    ...(await benchVideoMemory(folder)),
  ]);
}
if (isWanted('queue')) {
  add('queue', 'Queue, workers that do nothing with what they get', await benchQueue(folder, say));
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
  ffmpeg: (await versionOfFfmpeg()) ?? 'none',
};
process.stdout.write(values.json ? `${asJson(machine, sections)}\n` : asTable(machine, sections));

/**
 * Ends all processes before it removes the folder, because a running service would create its
 * folders again.
 */
async function leave(): Promise<void> {
  for (const pid of started()) process.kill(pid, 'SIGTERM');
  const endMs = performance.now() + LEAVE_MS;
  while (started().length > 0 && performance.now() < endMs) await delay(100);
  process.exit(1);
}

function started(): number[] {
  return processTree(process.pid).flatMap(({ pid }) => (pid === process.pid ? [] : [pid]));
}

/** Prints progress to stderr, so that stdout contains only the report. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

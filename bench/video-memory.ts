import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import sharp from 'sharp';
import type { Figure } from './report/figures.ts';
import { residentBytes } from './process-tree.ts';
import { makeTalk, PORTRAIT } from './video/make-talk.ts';
import { MAN, scaled } from './video/video-cases.ts';

const SHORT_SIDE = 720;
const FRAMES = 100;
const TIMES_LONGER = 3;
const LOOK_INTERVAL_MS = 50;
/** Most memory, megabytes. */
const GOAL = { atMost: 400 };

interface Peaks {
  readonly swapping: number;
  readonly signing: number;
}

/**
 * Measures the peak memory of all processes of a `guise swap` together: for a clip, for a clip that
 * is three times as long, and for real ones where the fixtures are. Empty without node-av or /proc.
 */
export async function benchVideoMemory(dataDir: string): Promise<Figure[]> {
  // The first start converts the models, so it is not measured.
  await (await createEngine({ modelCacheDir: dataDirLayout(dataDir).models })).close();
  const dir = await mkdtemp(path.join(tmpdir(), 'guise-video-memory-'));
  try {
    const source = path.join(dir, 'source.jpg');
    const { body } = await readSampleFaces();
    await sharp(body).extract(PORTRAIT).jpeg().toFile(source);
    const peaks: Peaks[] = [];
    for (const times of [1, TIMES_LONGER]) {
      const clip = path.join(dir, `clip-${times}.mp4`);
      if (!(await makeTalk(clip, SHORT_SIDE, times * FRAMES))) return [];
      // The first run fills the cache of compiled code.
      if (times === 1) await peaksOfSwap(source, clip, dataDir);
      peaks.push(await peaksOfSwap(source, clip, dataDir));
    }
    const [short, long] = peaks as [Peaks, Peaks];
    if (short.swapping === 0) return [];
    const real: Figure[] = [];
    for (const shortSide of [720, 1080]) {
      const clip = path.join(dir, `real-${shortSide}.mp4`);
      if (!(await scaled(MAN, shortSide)(clip))) continue;
      const { swapping } = await peaksOfSwap(source, clip, dataDir);
      real.push({
        name: `real man, ${shortSide}p, most memory of all processes`,
        value: megabytes(swapping),
        unit: 'MB',
        goal: GOAL,
      });
    }
    const name = `${SHORT_SIDE}p, most memory of all processes`;
    return [
      { name, value: megabytes(short.swapping), unit: 'MB', goal: GOAL },
      {
        name: `${name}, a clip ${TIMES_LONGER} times as long`,
        value: megabytes(long.swapping),
        unit: 'MB',
        goal: GOAL,
      },
      { name: `${name}, while it is signed`, value: megabytes(short.signing), unit: 'MB' },
      ...real,
    ];
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Returns the peaks before and during signing, bytes. Signing begins when the clip has its final
 * name.
 */
async function peaksOfSwap(source: string, clip: string, dataDir: string): Promise<Peaks> {
  const output = `${clip}.out.mp4`;
  const root = path.resolve(import.meta.dirname, '..');
  const args = [path.join(root, 'packages/cli/src/main.ts'), 'swap', source, clip, '-o', output];
  const command = spawn(process.execPath, [path.join(root, 'launch.cjs'), ...args], {
    env: { ...process.env, GUISE_DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(command, 'exit');
  const peaks = { swapping: 0, signing: 0 };
  while (command.exitCode === null && command.signalCode === null) {
    const phase = existsSync(output) ? 'signing' : 'swapping';
    peaks[phase] = Math.max(peaks[phase], residentBytes(command.pid!));
    await Promise.race([exited, delay(LOOK_INTERVAL_MS)]);
  }
  if (command.exitCode !== 0)
    throw new Error(`guise swap ended with ${command.exitCode ?? command.signalCode}`);
  await rm(output);
  return peaks;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

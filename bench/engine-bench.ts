import { createEngine, type Engine } from '@guise/engine/pipeline/engine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import sharp from 'sharp';
import { distribution, round, type Figure } from './report/figures.ts';
import type { BenchPictures } from './pictures.ts';

const ROUNDS = 25;
/**
 * Number of photos that are swapped before the measurement. After about twenty photos V8 has
 * compiled the code, and the CPU time is stable.
 */
const WARMUPS = 30;

/**
 * Measures the engine without a service: a whole photo and its steps, on decoded pixels, in this
 * process with one thread.
 */
export async function benchEngine(pictures: BenchPictures, modelCacheDir: string): Promise<Figure[]> {
  // The first start converts the models, so only later starts are measured.
  await (await createEngine({ modelCacheDir })).close();
  const started = performance.now();
  const engine = await createEngine({ modelCacheDir });
  const loadMs = performance.now() - started;

  const source = await pixels(pictures.source);
  const target = await pixels(pictures.target);
  const steps: Record<string, number[]> = {};
  const [wall, cpu]: [number[], number[]] = [[], []];
  for (let round = -WARMUPS; round < ROUNDS; round++) {
    const cpuBefore = process.cpuUsage();
    const before = performance.now();
    const timingsMs = await swapOnce(engine, source, target);
    const wallMs = performance.now() - before;
    const { user, system } = process.cpuUsage(cpuBefore);
    if (round < 0) continue;
    wall.push(wallMs);
    cpu.push((user + system) / 1000);
    for (const [name, ms] of Object.entries(timingsMs)) (steps[name] ??= []).push(ms);
  }
  await engine.close();
  return [
    { name: 'a photo, CPU time', value: distribution(cpu).p50, unit: 'ms', goal: { atMost: 60 } },
    { name: 'a photo, p50', value: distribution(wall).p50, unit: 'ms' },
    { name: 'a photo, p95', value: distribution(wall).p95, unit: 'ms' },
    ...Object.entries(steps).map(([name, times]) => ({
      name: `step ${name}, p50`,
      value: distribution(times).p50,
      unit: 'ms',
    })),
    { name: 'opening the networks', value: round(loadMs), unit: 'ms' },
  ];
}

async function swapOnce(
  engine: Engine,
  source: RgbImage,
  target: RgbImage,
): Promise<Readonly<Record<string, number>>> {
  const { timingsMs, measureIdentity } = await engine.swapImage({
    // New objects, because the engine caches data for an image object, such as its smaller copies.
    source: { ...source },
    target: { ...target },
    restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
  });
  await measureIdentity();
  return timingsMs;
}

/** Decodes a picture of the bench. */
export async function pixels(jpeg: Buffer): Promise<RgbImage> {
  const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

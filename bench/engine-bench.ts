import { createEngine, type Engine } from '@guise/engine/pipeline/engine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import sharp from 'sharp';
import { distribution, round, timeRounds, type Distribution } from './figures.ts';
import type { BenchPictures } from './pictures.ts';

export interface EngineFigures {
  /** Sessions from converted models in the cache. */
  readonly loadMs: number;
  /** One swap, source and target analysed anew each time, one thread. */
  readonly swapMs: Distribution;
  /** Median of each step, in the order they run. */
  readonly stepsMs: Record<string, number>;
  readonly detectMs: Distribution;
}

const ROUNDS = 15;

/** The engine alone, in this process, on decoded pixels. */
export async function benchEngine(pictures: BenchPictures, modelCacheDir: string): Promise<EngineFigures> {
  // The first start converts the models; what is timed is every later one.
  await (await createEngine({ modelCacheDir })).close();
  const started = performance.now();
  const engine = await createEngine({ modelCacheDir });
  const loadMs = round(performance.now() - started);

  const source = await pixels(pictures.source);
  const target = await pixels(pictures.target);
  const steps: Record<string, number[]> = {};
  const swapMs = await timeRounds(ROUNDS, 3, () => swapOnce(engine, source, target, steps));
  const detectMs = await timeRounds(ROUNDS, 1, () => engine.detect(target));
  await engine.close();
  const medians = Object.entries(steps).map(([name, times]) => [name, distribution(times).p50]);
  return { loadMs, swapMs, stepsMs: Object.fromEntries(medians), detectMs };
}

async function swapOnce(
  engine: Engine,
  source: RgbImage,
  target: RgbImage,
  steps: Record<string, number[]>,
): Promise<void> {
  const { timingsMs } = await engine.swapImage({
    source,
    target,
    faceRestoreVisibility: 1,
    restoreVisibility: 1,
  });
  for (const [name, ms] of Object.entries(timingsMs)) (steps[name] ??= []).push(ms);
}

async function pixels(jpeg: Buffer): Promise<RgbImage> {
  const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

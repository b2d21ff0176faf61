import { execFileSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { CLIP_RESTORE, STILL_RESTORE, VIDEO_QUALITIES } from '@guise/contract/ai-tasks/forms.ts';
import { TaskFailure } from '@guise/contract/errors.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { swapFrames } from '@guise/engine/pipeline/swap-video.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { fixture } from '../../scripts/fixtures.ts';
import { readRgb, toSharp } from '../../scripts/read-rgb.ts';
import { chooseFace } from './face-window.ts';
import { type Output, type Revision, writeOutputs } from './outputs.ts';
import { hashOfPairs, type ListName, type Pair } from './pair-list.ts';

/**
 * Swaps every pair with this checkout's engine, in the same way as a task of `/api/ai-tasks` with
 * default settings.
 */
export async function makeOutputs(
  engine: Engine,
  list: ListName,
  pairs: readonly Pair[],
  dir: string,
): Promise<void> {
  await mkdir(dir, { recursive: true });
  if ((await readdir(dir)).length > 0)
    throw new Error(`${dir} must be empty, so that outputs of two runs are never mixed.`);
  const revision = revisionOf(engine);
  const pairsSha256 = await hashOfPairs(list);
  const outputs: Output[] = [];
  for (const pair of pairs) {
    const output = await makeOutput(engine, pair, dir);
    outputs.push(output);
    console.log(`${pair.id}: ${output.failure ?? output.file}, ${output.wallMs} ms`);
    // The list is written after each pair, so that it is complete even if the run is interrupted.
    await writeOutputs(dir, { revision, pairsSha256, outputs });
  }
}

async function makeOutput(engine: Engine, pair: Pair, dir: string): Promise<Output> {
  const since = performance.now();
  const elapsed = (): number => Math.round(performance.now() - since);
  try {
    const file =
      pair.kind === 'clip' ? await swapClip(engine, pair, dir) : await swapStill(engine, pair, dir);
    return { pair: pair.id, file, wallMs: elapsed() };
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    return { pair: pair.id, file: null, failure: error.message, wallMs: elapsed() };
  }
}

async function swapStill(engine: Engine, pair: Pair, dir: string): Promise<string> {
  const source = await readRgb(fixture(pair.source));
  const target = await readRgb(fixture(pair.target));
  const targetFaces = await engine.detect(target);
  const face = chooseFace(targetFaces, target, pair.at);
  const { image } = await engine.swapImage({
    source,
    target,
    targetFaces,
    ...(face && { faceIndex: targetFaces.indexOf(face) }),
    restore: STILL_RESTORE,
  });
  const file = `${pair.id}.png`;
  await toSharp(image).png({ compressionLevel: 4 }).toFile(path.join(dir, file));
  return file;
}

async function swapClip(engine: Engine, pair: Pair, dir: string): Promise<string> {
  const source = await readRgb(fixture(pair.source));
  const container = path.extname(pair.target) === '.gif' ? 'gif' : 'mp4';
  const file = `${pair.id}.${container}`;
  const swap = await engine.openVideoSwap({ source, targetName: 'target clip', restore: CLIP_RESTORE });
  try {
    await swapFrames(swap, (hooks) =>
      processVideo({
        inputPath: fixture(pair.target),
        outputPath: path.join(dir, file),
        container,
        maxShortSide: VIDEO_QUALITIES['1080p'],
        ...hooks,
      }),
    );
  } finally {
    await swap.close();
  }
  return file;
}

function revisionOf(engine: Engine): Revision {
  const isDirty = git('status', '--porcelain', '--', '../../packages') !== '';
  return { engineVersion: engine.version, commit: `${git('rev-parse', 'HEAD')}${isDirty ? '-dirty' : ''}` };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}

import type { ClipOutputFormat } from '@guise/contract/formats.ts';
import { type SwapGifOrder, type SwapVideoOrder, type TaskResult, videoContainer } from '../tasks/task.ts';
import { warnOfSwap } from '@guise/contract/warnings.ts';
import { drawnBy } from '../networks/drawn-by.ts';
import { storeClip } from './work/clip-result.ts';
import { receiptOfMarks } from './work/marks.ts';
import { additionalSourceFiles, filesOfSources, receiptOfSources } from './work/source-files.ts';
import type { TaskRun } from './work/task-run.ts';
import { withInputs } from './work/with-inputs.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** Performs a video or GIF, which has one output. */
export async function performVideo(
  order: SwapVideoOrder | SwapGifOrder,
  { task, signal, onProgress, newOutput }: TaskRun,
  { storage, engine, networks, settings, hardware, blockedFaces }: SlotOptions,
): Promise<TaskResult> {
  const output = newOutput();
  const inputs = [order.source, order.target, ...(order.additionalSources ?? [])];
  const { restore, size, part, label } = order;
  const files = await networks.filesOf(order.networks);
  const drawer = drawnBy(await engine.whenReady(), order.networks?.swapper);
  const made = await withInputs(storage, inputs, async ([sourcePath, targetPath, ...additional]) => {
    const photos = filesOfSources([order], [sourcePath!, ...additional]);
    await blockedFaces?.refuseClip(
      task.id,
      { clip: order.target, path: targetPath!, photos },
      engine,
      signal,
    );
    return engine.run(
      {
        kind: 'swap-video',
        sourcePath: sourcePath!,
        targetPath: targetPath!,
        additionalSources: additionalSourceFiles(order, additional),
        outputPath: output.scratchPath,
        watermark: output.watermark,
        container: containerFor(order),
        hardware,
        options: { restore, size, part, label },
        maxPixels: settings.maxPixels,
        networks: files,
      },
      { signal, onProgress, drawnBy: drawer },
    );
  });
  return storeClip(output, made, drawer, {
    ...receiptOfSources(order, made.sourceShares),
    ...receiptOfMarks(order, settings),
    warnings: made.swapped.flatMap((faces) => warnOfSwap(faces, { source: order.source.field })),
  });
}

function containerFor(order: SwapVideoOrder | SwapGifOrder): ClipOutputFormat {
  return order.kind === 'swap-gif' ? 'gif' : videoContainer(order);
}

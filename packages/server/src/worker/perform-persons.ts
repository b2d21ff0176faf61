import { warnOfSwap } from '@guise/contract/warnings.ts';
import { type SwapPersonsOrder, type TaskResult, videoContainer } from '../tasks/task.ts';
import { drawnBy } from '../networks/drawn-by.ts';
import { storeClip } from './work/clip-result.ts';
import { receiptOfMarks } from './work/marks.ts';
import { filesOfSources, photosOf } from './work/source-files.ts';
import type { TaskRun } from './work/task-run.ts';
import { withInputs } from './work/with-inputs.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** Swaps several people in a video or GIF. There is one output. */
export async function performPersons(
  order: SwapPersonsOrder,
  { task, signal, onProgress, newOutput }: TaskRun,
  { storage, engine, networks, settings, hardware, blockedFaces }: SlotOptions,
): Promise<TaskResult> {
  const output = newOutput();
  const { mappings, target, restore, size, part, label } = order;
  const inputs = [target, ...photosOf(mappings)];
  const files = await networks.filesOf(order.networks);
  const drawer = drawnBy(await engine.whenReady(), order.networks?.swapper);
  const made = await withInputs(storage, inputs, async ([targetPath, ...sourcePaths]) => {
    const sources = filesOfSources(mappings, sourcePaths);
    await blockedFaces?.refuseClip(
      task.id,
      { clip: target, path: targetPath!, photos: sources },
      engine,
      signal,
    );
    return engine.run(
      {
        kind: 'swap-persons',
        targetPath: targetPath!,
        mappings: mappings.map(({ name, face }) => ({ name, face })),
        sources,
        outputPath: output.scratchPath,
        watermark: output.watermark,
        container: order.as === 'gif' ? 'gif' : videoContainer(order),
        hardware,
        options: { restore, size, part, label },
        maxPixels: settings.maxPixels,
        networks: files,
      },
      { signal, onProgress, drawnBy: drawer },
    );
  });
  return storeClip(output, made, drawer, {
    persons: made.persons.map((person, at) => Object.assign({ index: mappings[at]!.index }, person)),
    ...receiptOfMarks(order, settings),
    warnings: made.swapped.flatMap((faces, at) => warnOfSwap(faces, { source: mappings[at]!.source.field })),
  });
}

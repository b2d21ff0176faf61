import { warnOfSwap } from '@guise/contract/warnings.ts';
import {
  type SwapGifOrder,
  type SwapPersonsOrder,
  type SwapVideoOrder,
  type TaskResult,
  videoContainer,
} from '../tasks/task.ts';
import { drawnBy } from '../networks/drawn-by.ts';
import { storeClip } from './work/clip-result.ts';
import { receiptOfMarks } from './work/marks.ts';
import { filesOfSources, photosOf, receiptOfSources } from './work/source-files.ts';
import type { TaskRun } from './work/task-run.ts';
import { withInputs } from './work/with-inputs.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** Swaps one person or several people in a video or GIF. There is one output. */
export async function performClip(
  order: SwapVideoOrder | SwapGifOrder | SwapPersonsOrder,
  { task, signal, onProgress, newOutput }: TaskRun,
  { storage, engine, networks, settings, hardware, blockedFaces }: SlotOptions,
): Promise<TaskResult> {
  const output = newOutput();
  const { target, restore, size, part, label } = order;
  const people = order.kind === 'swap-persons' ? order.mappings : [order];
  const files = await networks.filesOf(order.networks);
  const drawer = drawnBy(await engine.whenReady(), order.networks?.swapper);
  const { made, own } = await withInputs(storage, [target, ...photosOf(people)], async (paths) => {
    const [targetPath, ...sourcePaths] = paths;
    const sources = filesOfSources(people, sourcePaths);
    const clip = { clip: target, path: targetPath!, photos: sources };
    await blockedFaces?.refuseClip(task.id, clip, engine, signal);
    const job = {
      targetPath: targetPath!,
      outputPath: output.scratchPath,
      watermark: output.watermark,
      container: isGif(order) ? 'gif' : videoContainer(order),
      hardware,
      options: { restore, size, part, label },
      maxPixels: settings.maxPixels,
      networks: files,
    } as const;
    const control = { signal, onProgress, drawnBy: drawer };
    if (order.kind === 'swap-persons') {
      const mappings = order.mappings.map(({ name, face }) => ({ name, face }));
      const made = await engine.run({ kind: 'swap-persons', ...job, mappings, sources }, control);
      const indexOf = (at: number): number => order.mappings[at]!.index;
      const persons = made.persons.map((person, at) => ({ index: indexOf(at), ...person }));
      return { made, own: { persons } };
    }
    const { path: sourcePath, additional: additionalSources } = sources[0]!;
    const made = await engine.run({ kind: 'swap-video', ...job, sourcePath, additionalSources }, control);
    return { made, own: receiptOfSources(order, made.sourceShares) };
  });
  return storeClip(output, made, drawer, {
    ...own,
    ...receiptOfMarks(order, settings),
    warnings: made.swapped.flatMap((faces, at) => warnOfSwap(faces, { source: people[at]!.source.field })),
  });
}

function isGif(order: SwapVideoOrder | SwapGifOrder | SwapPersonsOrder): boolean {
  return order.kind === 'swap-gif' || (order.kind === 'swap-persons' && order.as === 'gif');
}

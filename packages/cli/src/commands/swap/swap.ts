import { stat } from 'node:fs/promises';
import { withProgress } from '../../console/progress-bar.ts';
import { requireOutput, requireReadable, writeOutput } from '../../setup/output-file.ts';
import { withEngine } from '../../setup/with-engine.ts';
import { containerOf } from '../../setup/container-of.ts';
import { describeWarnings } from './file-warnings.ts';
import { describeSwap, preparePhotoSwap } from './photo-swap.ts';
import { swapFolder } from './swap-folder.ts';
import { isStillOfGif, stillOutput, type SwapOptions } from './swap-options.ts';
import { swapVideo } from './swap-video.ts';

/** Puts the face of `source` onto `target`: a photo, a video, a GIF, or a folder of photos. */
export async function swap(source: string, target: string, options: SwapOptions): Promise<void> {
  if ((await stat(target).catch(() => null))?.isDirectory()) return swapFolder(source, target, options);
  await requireOutput(options, [source, target, ...(options.source ?? [])]);
  await requireReadable(target);
  const container = await containerOf(target);
  if (container !== null && !isStillOfGif(container, options))
    return swapVideo(source, target, container, options);
  const format = stillOutput(target, options);
  const swapPhoto = await preparePhotoSwap(source, options);
  const receipt = await writeOutput(options, (made, workspace) =>
    withProgress((onProgress) =>
      withEngine(workspace, (engine) =>
        swapPhoto(engine, { target, output: options.output, made, format }, onProgress),
      ),
    ),
  );
  process.stdout.write(
    options.json
      ? `${JSON.stringify(receipt, null, 2)}\n`
      : `${describeSwap(receipt)}${describeWarnings(receipt.warnings)}`,
  );
}

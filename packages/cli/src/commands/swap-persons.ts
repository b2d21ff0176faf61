import path from 'node:path';
import { clipFormatList } from '@guise/contract/ai-tasks/form.ts';
import { CLIP_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import { TARGET_VIDEO_FORMATS } from '@guise/contract/v1/values.ts';
import { requireOutput, requireReadable } from '../setup/output-file.ts';
import { MAX_PIXELS } from '../setup/with-engine.ts';
import { outputContainer, outputSize, roundedTimings, runClipSwap } from './clip-command.ts';
import { containerOf } from './container-of.ts';
import { fileWarnings } from './file-warnings.ts';
import { restoreOf, type PersonMap, type SwapOptions } from './swap-options.ts';

/** Replaces the face of each mapped person in a video or GIF by the face in that person's photo. */
export async function swapPersons(
  target: string,
  options: SwapOptions & { readonly map: readonly PersonMap[] },
): Promise<void> {
  const { map, output } = options;
  await requireOutput(options, [target, ...map.map(({ file }) => file)]);
  await requireReadable(target);
  const input = await containerOf(target);
  if (input === null)
    throw new Error(`${target} is neither a video in ${clipFormatList(TARGET_VIDEO_FORMATS)} nor a GIF.`);
  const container = outputContainer(output, input);
  if (options.face !== undefined || options.source !== undefined)
    throw new Error('--face and --source cannot be used with --map.');
  await Promise.all(map.map(({ file }) => requireReadable(file)));
  const restore = restoreOf(options, CLIP_RESTORE);
  await runClipSwap(
    target,
    options,
    async ({ engine, made, part, onProgress }) => {
      const outcome = await engine.run(
        {
          kind: 'swap-persons',
          targetPath: path.resolve(target),
          outputPath: made,
          mappings: map.map(({ personIndex, file }) => ({
            name: `--map ${personIndex}=${file}`,
            sourceName: file,
            sourcePath: path.resolve(file),
            face: { personIndex },
          })),
          container,
          options: { restore, size: outputSize(container, options), part },
          maxPixels: MAX_PIXELS,
        },
        { onProgress },
      );
      const { swapped, sizeBytes, timingsMs, ...rest } = outcome;
      return {
        output,
        ...restore,
        ...rest,
        persons: outcome.persons.map((person, at) => Object.assign({ index: map[at]!.personIndex }, person)),
        bytes: sizeBytes,
        engine: await engine.whenReady(),
        timingsMs: roundedTimings(timingsMs),
        warnings: swapped.flatMap((faces, at) => fileWarnings([faces], { source: map[at]!.file, target })),
      };
    },
    describe,
  );
}

function describe(receipt: {
  readonly output: string;
  readonly persons: readonly { readonly index: number; readonly framesSwapped: number }[];
  readonly frames: { readonly total: number };
}): string {
  const each = receipt.persons.map(
    ({ index, framesSwapped }) => `person ${index} in ${framesSwapped} of ${receipt.frames.total} frames`,
  );
  return `Swapped ${each.join(', ')} and wrote ${receipt.output}.\n`;
}

import path from 'node:path';
import { clipFormatList } from '@guise/contract/ai-tasks/form.ts';
import { CLIP_RESTORE, VIDEO_QUALITIES } from '@guise/contract/ai-tasks/forms.ts';
import { TARGET_VIDEO_FORMATS } from '@guise/contract/v1/values.ts';
import { NO_VIDEO_BACKEND, videoBackend } from '@guise/media/video/backend.ts';
import { ProgressBar } from '../console/progress-bar.ts';
import { MAX_PIXELS, requireReadable, withEngine } from '../setup/with-engine.ts';
import { containerOf } from './container-of.ts';
import { describeWarnings, fileWarnings } from './file-warnings.ts';
import { CONTAINER_OF_EXTENSION } from './output-format.ts';
import { partOption, restoreOf, type PersonMap, type SwapOptions } from './swap-options.ts';

/** Puts a face of its own on each mapped person of a video or GIF. */
export async function swapPersons(
  target: string,
  options: SwapOptions & { readonly map: readonly PersonMap[] },
): Promise<void> {
  await requireReadable(target);
  const { map, output } = options;
  const input = await containerOf(target);
  if (input === null)
    throw new Error(`${target} is neither a video in ${clipFormatList(TARGET_VIDEO_FORMATS)} nor a GIF.`);
  const container = CONTAINER_OF_EXTENSION[path.extname(output).toLowerCase()];
  if (container === undefined) throw new Error(`${output} must end in .mp4, .webm, .mov or .gif.`);
  if (input === 'gif' && container !== 'gif') throw new Error('A GIF can only become a GIF.');
  if (options.face !== undefined || options.source !== undefined)
    throw new Error('--face and --source do not go with --map.');
  if (input !== 'gif' && videoBackend() === null) throw new Error(NO_VIDEO_BACKEND);
  await Promise.all([
    ...map.map(({ file }) => requireReadable(file)),
    requireReadable(path.dirname(path.resolve(output))),
  ]);
  const part = await partOption(target, options);
  const restore = restoreOf(options, CLIP_RESTORE);
  await withEngine(output, async (engine) => {
    const bar = new ProgressBar(process.stderr);
    try {
      const outcome = await engine.run(
        {
          kind: 'swap-persons',
          targetPath: path.resolve(target),
          outputPath: path.resolve(output),
          mappings: map.map(({ personIndex, file }) => ({
            name: `--map ${personIndex}=${file}`,
            sourceName: file,
            sourcePath: path.resolve(file),
            face: { personIndex },
          })),
          container,
          ...(part === null ? {} : { part }),
          restore,
          size: container === 'gif' ? {} : { maxShortSide: VIDEO_QUALITIES[options.quality ?? '1080p'] },
          maxPixels: MAX_PIXELS,
        },
        { onProgress: (progress) => bar.show(progress) },
      );
      bar.clear();
      const { swapped, sizeBytes, timingsMs, ...rest } = outcome;
      const receipt = {
        output,
        ...restore,
        ...rest,
        persons: outcome.persons.map((person, at) => Object.assign({ index: map[at]!.personIndex }, person)),
        bytes: sizeBytes,
        engine: await engine.whenReady(),
        timingsMs: Object.fromEntries(Object.entries(timingsMs).map(([step, ms]) => [step, Math.round(ms)])),
        warnings: swapped.flatMap((faces, at) => fileWarnings([faces], { source: map[at]!.file, target })),
      };
      process.stdout.write(
        options.json
          ? `${JSON.stringify(receipt, null, 2)}\n`
          : `${describe(receipt)}${describeWarnings(receipt.warnings)}`,
      );
    } finally {
      bar.clear();
    }
  });
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

import path from 'node:path';
import { STILL_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import type { ClipFormat } from '@guise/contract/formats.ts';
import type { MappedBox } from '@guise/contract/work.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { withProgress } from '../../console/progress-bar.ts';
import { chosenNetworks, engineOf, onProviders } from '../../setup/chosen-networks.ts';
import { requireOutput, requireReadable, writeOutput } from '../../setup/output-file.ts';
import { MAX_PIXELS, withEngine } from '../../setup/with-engine.ts';
import { roundedTimings, runClipSwap } from './clip-command.ts';
import { containerOf } from '../../setup/container-of.ts';
import { describeWarnings, fileWarnings } from './file-warnings.ts';
import { watermarkOfFiles } from '../../setup/watermark.ts';
import {
  type FaceMap,
  isStillOfGif,
  labelOf,
  restoreOf,
  stillOutput,
  type SwapOptions,
} from './swap-options.ts';

type MapOptions = SwapOptions & { readonly map: readonly FaceMap[] };

/** Replaces each mapped face of a photo, or person of a video or GIF, by the face in its photo. */
export async function swapMapped(target: string, options: MapOptions): Promise<void> {
  const { map } = options;
  await requireOutput(options, [target, ...map.map(({ file }) => file)]);
  await requireReadable(target);
  if (options.face !== undefined || options.source !== undefined)
    throw new Error('--face and --source cannot be used with --map.');
  await Promise.all(map.map(({ file }) => requireReadable(file)));
  const input = await containerOf(target);
  if (input === null || isStillOfGif(input, options)) return swapGroup(target, options);
  return swapPersons(target, input, options);
}

async function swapGroup(target: string, options: MapOptions): Promise<void> {
  const { map, output } = options;
  const format = stillOutput(target, options);
  const restore = restoreOf(options, STILL_RESTORE);
  const label = labelOf(options);
  const networks = await chosenNetworks(options);
  const targetPath = path.resolve(target);
  const receipt = await writeOutput(options, (made, workspace) =>
    withProgress((onProgress) =>
      withEngine(workspace, async (engine) => {
        const boxes = await findBoxes(engine, target, map);
        const drawnBy = await engineOf(engine, networks);
        const outcome = await engine.run(
          {
            kind: 'swap-group',
            targetPath,
            outputPath: made,
            watermark: await watermarkOfFiles([...map.map(({ file }) => file), target]),
            replacements: map.map(({ file }, at) => ({
              name: file,
              sourcePath: path.resolve(file),
              box: boxes[at]!,
            })),
            options: { restore, label, output: { format } },
            maxPixels: MAX_PIXELS,
            networks: await onProviders(engine, networks),
          },
          { onProgress, drawnBy },
        );
        const { sizeBytes, swapped, thumbnail: _thumbnail, ...rest } = outcome;
        return {
          output,
          ...restore,
          ...rest,
          label,
          faces: map.map(({ index }) => index),
          bytes: sizeBytes,
          engine: drawnBy,
          warnings: swapped.flatMap((faces, at) => fileWarnings([faces], { source: map[at]!.file, target })),
        };
      }),
    ),
  );
  process.stdout.write(
    options.json
      ? `${JSON.stringify(receipt, null, 2)}\n`
      : `Swapped ${map.map(({ index }) => `face ${index}`).join(', ')} of ${receipt.facesFound} and wrote ${output}.\n` +
          describeWarnings(receipt.warnings),
  );
}

/**
 * Returns the box of each mapped face.
 * @throws Error naming the option if the photo has no such face
 */
async function findBoxes(
  engine: EngineProcess,
  target: string,
  map: readonly FaceMap[],
): Promise<readonly MappedBox[]> {
  const images = [{ name: target, path: path.resolve(target) }];
  const found = await engine.run({ kind: 'detect-faces', images, maxPixels: MAX_PIXELS });
  const faces = found.images[0]?.faces ?? [];
  return map.map(({ index, file }) => {
    const face = faces[index];
    if (face === undefined)
      throw new Error(`--map ${index}=${file}: ${target} has no face ${index}; it has ${faces.length}.`);
    const { x, y, width, height } = face;
    return { name: `--map ${index}=${file}`, faceIndex: index, x, y, width, height };
  });
}

async function swapPersons(target: string, input: ClipFormat, options: MapOptions): Promise<void> {
  const { map, output } = options;
  await runClipSwap(
    { target, input, files: [...map.map(({ file }) => file), target] },
    options,
    async ({ engine, job, control, restore, label }) => {
      const mappings = map.map(({ index, file }) => ({
        name: `--map ${index}=${file}`,
        face: { personIndex: index },
      }));
      const sources = map.map(({ file }) => ({ name: file, path: path.resolve(file) }));
      const outcome = await engine.run({ kind: 'swap-persons', ...job, mappings, sources }, control);
      const { swapped, sizeBytes, timingsMs, ...rest } = outcome;
      return {
        output,
        ...restore,
        ...rest,
        label,
        persons: outcome.persons.map((person, at) => Object.assign({ index: map[at]!.index }, person)),
        bytes: sizeBytes,
        engine: control.drawnBy,
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

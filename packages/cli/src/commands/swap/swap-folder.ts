import { mkdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { TaskFailure } from '@guise/contract/errors.ts';
import { stillFormatOf } from '@guise/contract/formats.ts';
import { withProgress } from '../../console/progress-bar.ts';
import { nearestExisting, placeFile, requireOutput } from '../../setup/output-file.ts';
import { withEngine } from '../../setup/with-engine.ts';
import { withWorkspace } from '../../setup/workspace.ts';
import { describeWarnings } from './file-warnings.ts';
import { describeSwap, preparePhotoSwap } from './photo-swap.ts';
import type { SwapOptions } from './swap-options.ts';

/** Extensions of the photos that guise reads. */
const PHOTO = /\.(jpe?g|png|webp|heic|heif|gif)$/i;

/** A photo of the folder, and the path of its result. */
interface Pair {
  readonly target: string;
  readonly output: string;
}

/**
 * Puts the face of `source` onto every photo of a folder. A photo that fails is reported, and the
 * others are made; then the exit code is 1.
 */
export async function swapFolder(source: string, folder: string, options: SwapOptions): Promise<void> {
  if (options.start !== undefined || options.end !== undefined)
    throw new Error('--start and --end are for one video or GIF.');
  if ((await stat(options.output).catch(() => null))?.isDirectory() === false)
    throw new Error(`${options.output} is not a folder; the results of a folder go into a folder.`);
  const { pairs, others } = await pairsOf(folder, options.output);
  if (pairs.length === 0) throw new Error(`${folder} has no photo (.jpg, .png, .webp, .heic or .gif).`);
  const swapPhoto = await preparePhotoSwap(source, options);
  const outputs: unknown[] = [];
  const failures: { target: string; message: string }[] = [];
  const print = (text: string): void => void (options.json || process.stdout.write(text));
  await withWorkspace(
    path.join(nearestExisting(path.resolve(options.output)), 'guise-swap'),
    async (workspace) => {
      mkdirSync(options.output, { recursive: true });
      const inputs = [source, ...(options.source ?? []), ...pairs.map(({ target }) => target)];
      for (const { output } of pairs) await requireOutput({ ...options, output }, inputs);
      await withEngine(workspace, async (engine) => {
        for (const [at, { target, output }] of pairs.entries()) {
          const made = path.join(workspace.folder, `made-${at}`);
          try {
            const receipt = await withProgress((onProgress) =>
              swapPhoto(engine, { target, output, made, format: stillFormatOf(output)! }, onProgress),
            );
            placeFile(made, { ...options, output });
            outputs.push(receipt);
            print(`${describeSwap(receipt)}${describeWarnings(receipt.warnings)}`);
          } catch (error) {
            if (!(error instanceof TaskFailure)) throw error;
            failures.push({ target, message: error.message });
            print(`${target} was not swapped: ${error.message}\n`);
          }
        }
      });
    },
  );
  if (failures.length > 0) process.exitCode = 1;
  print(`${outputs.length} of ${pairs.length} photos were swapped.\n`);
  if (others.length > 0) print(`Not photos, and left out: ${others.join(', ')}.\n`);
  if (options.json)
    process.stdout.write(`${JSON.stringify({ outputs, failures, leftOut: others }, null, 2)}\n`);
}

/**
 * Lists the photos of a folder with their results, in the order of their names, and the names of
 * other files. A result is of the photo's type if guise writes it, otherwise a PNG.
 * @throws Error if two results would have the same name
 */
async function pairsOf(folder: string, output: string): Promise<{ pairs: Pair[]; others: string[] }> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
  const byOutput = new Map<string, string>();
  for (const name of names.filter((each) => PHOTO.test(each))) {
    const result = stillFormatOf(name) === undefined ? `${path.parse(name).name}.png` : name;
    const other = byOutput.get(result);
    if (other !== undefined) throw new Error(`${other} and ${name} would both become ${result}: rename one.`);
    byOutput.set(result, name);
  }
  return {
    pairs: Array.from(byOutput, ([result, name]) => ({
      target: path.join(folder, name),
      output: path.join(output, result),
    })),
    others: names.filter((name) => !PHOTO.test(name)),
  };
}

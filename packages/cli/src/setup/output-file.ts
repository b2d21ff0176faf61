import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Workspace, withWorkspace } from './workspace.ts';

/** Output path of a command, and whether an existing file may be replaced. */
export interface OutputOptions {
  readonly output: string;
  readonly force?: true;
}

/**
 * Checks that a file can be written safely, before expensive work starts.
 * @param inputs files that the command reads and must not overwrite
 * @throws Error with a readable message
 */
export async function requireOutput(options: OutputOptions, inputs: readonly string[]): Promise<void> {
  const { output } = options;
  await requireReadable(path.dirname(path.resolve(output)));
  for (const input of inputs)
    if (await isSameFile(output, input))
      throw new Error(
        `${output} is ${input === output ? 'an input' : `the input ${input}`}: name another output.`,
      );
  await requireFree(options);
}

/**
 * Checks that the output does not exist or may be replaced.
 * @throws Error with a readable message
 */
export async function requireFree({ output, force }: OutputOptions): Promise<void> {
  if ((await stat(output).catch(() => null))?.isDirectory())
    throw new Error(`${output} is a folder: name a file.`);
  // A broken link also counts as an existing file.
  if (!force && (await lstat(output).catch(() => null)) !== null) throw existsAlready(output);
}

/**
 * Lets `make` write a file, and moves the complete file to the output path. If `make` fails, no
 * file is left.
 * @param make writes the file `made`
 */
export function writeOutput<T>(
  options: OutputOptions,
  make: (made: string, workspace: Workspace) => Promise<T>,
): Promise<T> {
  return withWorkspace(options.output, async (workspace) => {
    const made = path.join(workspace.folder, 'made');
    const result = await make(made, workspace);
    workspace.finish(() => placeFile(made, options));
    return result;
  });
}

/**
 * Moves a file to the output path.
 * @throws Error with a readable message if the output exists, unless `force` is set
 */
export function placeFile(made: string, { output, force }: OutputOptions): void {
  if (force) return renameSync(made, output);
  try {
    // Unlike a rename, a link never replaces a file that was created in the meantime.
    linkSync(made, output);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw existsAlready(output);
    copyToNew(made, output);
  }
}

/**
 * Checks that a file can be read.
 * @throws Error with a readable message if it cannot
 */
export async function requireReadable(file: string): Promise<void> {
  try {
    await access(file);
  } catch {
    throw new Error(`${file} cannot be read.`);
  }
}

/** Returns the folder if it exists, otherwise its nearest existing parent. */
export function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(path.dirname(folder));
}

/** Copies a file, for file systems without hard links. */
function copyToNew(made: string, output: string): void {
  try {
    copyFileSync(made, output, constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw existsAlready(output);
    // Removes a partial copy, for example if the disk is full.
    rmSync(output, { force: true });
    throw error;
  }
}

/**
 * Returns whether two paths lead to the same file, through links or because upper and lower case
 * are equal.
 */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([factsOf(one), factsOf(other)]);
  if (first === null || second === null) return false;
  return first.path === second.path || (first.device === second.device && first.inode === second.inode);
}

async function factsOf(file: string): Promise<{ path: string; device: bigint; inode: bigint } | null> {
  try {
    const { dev, ino } = await stat(file, { bigint: true });
    return { path: await realpath(file), device: dev, inode: ino };
  } catch {
    return null;
  }
}

function existsAlready(output: string): Error {
  return new Error(`${output} exists already; --force replaces it.`);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

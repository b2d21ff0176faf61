import { constants, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Workspace, withWorkspace } from './workspace.ts';

/** Where a command writes a file, and whether it may replace one. */
export interface OutputOptions {
  readonly output: string;
  readonly force?: true;
}

/**
 * Checks that a file can be written without harm, before anything costly starts.
 * @param inputs files that the command reads, which it never overwrites
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
 * Checks that there is no file of a name, or one that may be replaced.
 * @throws Error with a readable message
 */
export async function requireFree({ output, force }: OutputOptions): Promise<void> {
  if ((await stat(output).catch(() => null))?.isDirectory())
    throw new Error(`${output} is a folder: name a file.`);
  // A link that leads nowhere is a file too.
  if (!force && (await lstat(output).catch(() => null)) !== null) throw existsAlready(output);
}

/**
 * Has `make` write a file, which appears whole under its own name at the end. Nothing else is left
 * beside it, and without a result nothing at all.
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
 * Gives a file its own name.
 * @throws Error with a readable message if there is a file of that name, unless `force`
 */
export function placeFile(made: string, { output, force }: OutputOptions): void {
  if (force) return renameSync(made, output);
  try {
    // Unlike a rename, it replaces nothing that appeared meanwhile.
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

/** Copies a file where the file system has no links. */
function copyToNew(made: string, output: string): void {
  try {
    copyFileSync(made, output, constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw existsAlready(output);
    // Removes a partial copy: the disk may be full.
    rmSync(output, { force: true });
    throw error;
  }
}

/** Tells whether two names lead to one file: through links, or where case makes no difference. */
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

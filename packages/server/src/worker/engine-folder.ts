import { chmodSync, chownSync, mkdirSync, rmSync, utimes } from 'node:fs';
import { constants, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { lendFile, makeFolderFor } from '@guise/media/isolation/lend.ts';
import type { UnprivilegedUser } from '@guise/media/isolation/unprivileged-user.ts';
import type { EngineJob } from './engine-job.ts';
import { inputsOf, withPaths } from './job-paths.ts';

const OUTPUT_NAME = 'out';
/** A folder that was not touched for an hour is swept as one that nobody needs any more. */
const TOUCH_INTERVAL_MS = 10 * 60 * 1000;

export interface EngineFolderOptions {
  readonly path: string;
  /** Whom the process runs as; null: as we do, so that it can read our files where they are. */
  readonly user: UnprivilegedUser | null;
  /** Inputs are this service's own files: they are shared with the process and not copied. */
  readonly ownsInputs: boolean;
}

/** A job with paths that the engine process can use, for as long as it runs. */
export interface LentJob extends AsyncDisposable {
  readonly job: EngineJob;
  /** Moves what the process made to the job's own output path. @throws Error where it is no plain file of its own */
  takeOutput(): Promise<void>;
}

/**
 * The folder in which one engine process lives and starts all its paths. Where it is another user than we are, it sees the
 * inputs of its jobs in hand there and can write their outputs, and can reach nothing else of ours.
 */
export class EngineFolder {
  readonly #options: EngineFolderOptions;
  readonly #touching: NodeJS.Timeout;
  #jobCount = 0;

  /** Makes the folder. */
  constructor(options: EngineFolderOptions) {
    this.#options = options;
    const { path: folder, user } = options;
    mkdirSync(folder, { mode: 0o700 });
    this.#touching = setInterval(() => {
      const now = new Date();
      utimes(folder, now, now, () => {});
    }, TOUCH_INTERVAL_MS).unref();
    if (user === null) return;
    chownSync(folder, process.getuid!(), user.gid);
    // To pass through, not to list: jobs side by side do not see each other's folders.
    chmodSync(folder, 0o710);
  }

  get path(): string {
    return this.#options.path;
  }

  /** Removes the folder. The process must be gone, or what it does meanwhile could lead us elsewhere. */
  remove(): void {
    clearInterval(this.#touching);
    rmSync(this.path, { recursive: true, force: true });
  }

  async lend(job: EngineJob): Promise<LentJob> {
    const { user, ownsInputs } = this.#options;
    const name = `job-${++this.#jobCount}`;
    const folder = path.join(this.path, name);
    const lentPaths = new Map<string, string>();
    await makeFolderFor(user, folder);
    try {
      for (const [index, input] of inputsOf(job).entries()) {
        if (user === null) {
          lentPaths.set(input, input);
          continue;
        }
        const lentName = `in-${index}`;
        await lendFile(user, input, path.join(folder, lentName), { isOurs: ownsInputs });
        lentPaths.set(input, path.join(name, lentName));
      }
    } catch (error) {
      await removeFiles(folder);
      throw error;
    }
    const outputPath = path.join(name, OUTPUT_NAME);
    return {
      job: withPaths(job, (input) => lentPaths.get(input)!, outputPath),
      takeOutput: async () => {
        if (job.kind !== 'detect-faces') await takeFile(path.join(folder, OUTPUT_NAME), job.outputPath, user);
      },
      [Symbol.asyncDispose]: () => removeFiles(folder),
    };
  }
}

/**
 * Moves a file out of the process's hands, then looks at it: a link in its place would lead to a file of ours, and what is
 * looked at before it is moved could still be replaced.
 */
async function takeFile(made: string, outputPath: string, user: UnprivilegedUser | null): Promise<void> {
  await rename(made, outputPath);
  try {
    await using file = await open(
      outputPath,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const { uid, nlink, isFile } = await fileFacts(file);
    if (!isFile || nlink !== 1 || (user !== null && uid !== user.uid))
      throw new Error('The engine process left something else than a file of its own.');
    if (user !== null) await file.chown(process.getuid!(), process.getgid!());
  } catch (error) {
    await rm(outputPath, { force: true });
    throw error;
  }
}

async function fileFacts(file: Awaited<ReturnType<typeof open>>) {
  const facts = await file.stat();
  return { uid: facts.uid, nlink: facts.nlink, isFile: facts.isFile() };
}

/**
 * Removes a job's folder with the files in it. Not recursively: its owner may still be alive, and could put a link in the
 * place of a folder that is just being walked. Whatever resists goes with the process's own folder.
 */
async function removeFiles(folder: string): Promise<void> {
  try {
    for (const name of await readdir(folder)) await unlink(path.join(folder, name));
    await rmdir(folder);
  } catch {
    // `remove` takes it once the process is gone.
  }
}

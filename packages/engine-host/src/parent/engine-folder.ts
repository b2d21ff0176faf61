import { chmodSync, chownSync, mkdirSync, utimes } from 'node:fs';
import { constants, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { lendFile, makeFolderFor } from '@guise/media/isolation/lend.ts';
import type { UnprivilegedUser } from '@guise/media/isolation/unprivileged-user.ts';
import type { EngineJob } from '../protocol/engine-job.ts';
import { inputsOf, withPaths } from './job-paths.ts';
import { removeSeized } from './remove-seized.ts';

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
  /**
   * Moves what the process made to the job's own output path. @throws Error where it is no plain
   * file of its own
   */
  takeOutput(): Promise<void>;
}

/**
 * The folder in which one engine process lives and starts all its paths. Where it is another user
 * than we are, it sees the inputs of its jobs in hand there and can write their outputs, and can
 * reach nothing else of ours.
 */
export class EngineFolder {
  readonly #options: EngineFolderOptions;
  readonly #touching: NodeJS.Timeout;
  readonly #inUse = new Set<Promise<void>>();
  #jobCount = 0;
  #isRemoved = false;

  /** Makes the folder. */
  constructor(options: EngineFolderOptions) {
    this.#options = options;
    const { path: folder, user } = options;
    mkdirSync(folder, { mode: 0o700 });
    if (user !== null) {
      chownSync(folder, process.getuid!(), user.gid);
      // To pass through, not to list: jobs side by side do not see each other's folders.
      chmodSync(folder, 0o710);
    }
    this.#touching = setInterval(() => {
      const now = new Date();
      utimes(folder, now, now, () => {});
    }, TOUCH_INTERVAL_MS).unref();
  }

  get path(): string {
    return this.#options.path;
  }

  /**
   * Removes the folder once no job needs it; whatever resists stays. Jobs can no longer be lent.
   */
  async remove(): Promise<void> {
    clearInterval(this.#touching);
    this.#isRemoved = true;
    await Promise.all(this.#inUse);
    await removeIfPossible(this.path);
  }

  async lend(job: EngineJob): Promise<LentJob> {
    if (this.#isRemoved) throw new Error('The engine process has ended.');
    const unused = Promise.withResolvers<void>();
    this.#inUse.add(unused.promise);
    const name = `job-${++this.#jobCount}`;
    const folder = path.join(this.path, name);
    const giveBack = async (): Promise<void> => {
      await removeIfPossible(folder);
      this.#inUse.delete(unused.promise);
      unused.resolve();
    };
    try {
      const lentPaths = await this.#lendInputs(job, name);
      const outputPath = path.join(name, OUTPUT_NAME);
      return {
        job: withPaths(job, (input) => lentPaths.get(input)!, outputPath),
        takeOutput: async () => {
          if (job.kind !== 'detect-faces') await this.#takeFile(name, job.outputPath);
        },
        [Symbol.asyncDispose]: giveBack,
      };
    } catch (error) {
      await giveBack();
      throw error;
    }
  }

  /** @returns the paths that the process knows the job's inputs by */
  async #lendInputs(job: EngineJob, name: string): Promise<ReadonlyMap<string, string>> {
    const { user, ownsInputs } = this.#options;
    await makeFolderFor(user, path.join(this.path, name));
    const lentPaths = new Map<string, string>();
    for (const [index, input] of inputsOf(job).entries()) {
      if (user === null) {
        lentPaths.set(input, input);
        continue;
      }
      const lentPath = path.join(name, `in-${index}`);
      await lendFile(user, input, path.join(this.path, lentPath), { isOurs: ownsInputs });
      lentPaths.set(input, lentPath);
    }
    return lentPaths;
  }

  /**
   * Moves a job's output out of the process's hands and looks at it there, where it can no longer
   * be replaced: a link would lead to a file of ours. Only then does it get its own path.
   */
  async #takeFile(name: string, outputPath: string): Promise<void> {
    const { user } = this.#options;
    const taken = path.join(this.path, `${name}-${OUTPUT_NAME}`);
    await rename(path.join(this.path, name, OUTPUT_NAME), taken);
    try {
      await claimFile(taken, user);
      await rename(taken, outputPath);
    } catch (error) {
      await removeIfPossible(taken);
      throw error;
    }
  }
}

/** Makes a file ours. @throws Error where it is no plain file of `user`'s own */
async function claimFile(filePath: string, user: UnprivilegedUser | null): Promise<void> {
  await using file = await open(filePath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await file.stat();
  if (!found.isFile() || found.nlink !== 1 || (user !== null && found.uid !== user.uid))
    throw new Error('It is something else than a file of its own.');
  if (user !== null) await file.chown(process.getuid!(), process.getgid!());
}

async function removeIfPossible(entry: string): Promise<void> {
  await removeSeized(Buffer.from(entry)).catch(() => {});
}

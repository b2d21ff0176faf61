import { utimes } from 'node:fs';
import { constants, open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { TaskFailure } from '@guise/contract/errors.ts';
import { lendFile, makeFolderFor, makePassage } from '@guise/media/isolation/lend.ts';
import type { UnprivilegedUser } from '@guise/media/isolation/unprivileged-user.ts';
import type { EngineJob } from '../protocol/engine-job.ts';
import { inputsOf, withPaths } from './job-paths.ts';
import { removeSeized } from './remove-seized.ts';

/** Name of a job's output in its folder. */
const OUTPUT_NAME = 'out';
/**
 * Pause between two touches of the folder. The sweeper removes a folder that was not touched for an
 * hour.
 */
const TOUCH_INTERVAL_MS = 10 * 60 * 1000;

/** Settings of an engine's folder. */
export interface EngineFolderOptions {
  readonly path: string;
  /** User of the process; null if it runs as we do and reads our files in their place. */
  readonly user: UnprivilegedUser | null;
  /** Whether inputs are this service's own files, which the process may read without copies. */
  readonly ownsInputs: boolean;
}

/** A network that the process can read. */
interface LentNetwork {
  /** Path for the process. */
  readonly name: string;
  readonly bytes: number;
}

/** A job whose paths the engine process can use, until it is disposed of. */
export interface LentJob extends AsyncDisposable {
  readonly job: EngineJob;
  /**
   * Moves the output to the job's own output path.
   * @throws Error if it is not a plain file that the process owns
   */
  takeOutput(): Promise<void>;
}

/**
 * The folder in which one engine process lives, and to which its relative paths refer. If the
 * process runs as another user, it reads its jobs' inputs and writes their outputs here, and can
 * reach none of our other files.
 */
export class EngineFolder {
  readonly #options: EngineFolderOptions;
  readonly #touching: NodeJS.Timeout;
  readonly #inUse = new Set<Promise<void>>();
  /** Paths for the process of the networks that were lent, by their own paths. */
  readonly #networks = new Map<string, Promise<LentNetwork>>();
  #networkBytes = 0;
  #jobCount = 0;
  #isRemoved = false;

  /** Makes the folder and touches it regularly until it is removed. */
  constructor(options: EngineFolderOptions) {
    this.#options = options;
    const { path: folder, user } = options;
    // The folder cannot be listed, so that jobs cannot see each other's folders.
    makePassage(user, folder);
    this.#touching = setInterval(() => {
      const now = new Date();
      utimes(folder, now, now, () => {});
    }, TOUCH_INTERVAL_MS).unref();
  }

  get path(): string {
    return this.#options.path;
  }

  /**
   * Removes the folder when no job needs it, and lends no more jobs. Files that cannot be removed
   * stay.
   */
  async remove(): Promise<void> {
    clearInterval(this.#touching);
    this.#isRemoved = true;
    await Promise.all(this.#inUse);
    await removeIfPossible(this.path);
  }

  /** Puts a job's inputs where the process can read them. */
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
        job: await this.#lendNetworks(withPaths(job, (input) => lentPaths.get(input)!, outputPath)),
        takeOutput: async () => {
          if ('outputPath' in job) await this.#takeFile(name, job.outputPath);
        },
        [Symbol.asyncDispose]: giveBack,
      };
    } catch (error) {
      await giveBack();
      throw error;
    }
  }

  /**
   * Makes the job's folder with its inputs.
   * @returns the paths for the process, by the paths of the inputs
   */
  async #lendInputs(job: EngineJob, name: string): Promise<ReadonlyMap<string, string>> {
    const { user, ownsInputs } = this.#options;
    makeFolderFor(user, path.join(this.path, name));
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
   * Puts the networks of a job where the process can read them, until a job needs others. The last
   * ones stay open in the process.
   */
  async #lendNetworks(job: EngineJob): Promise<EngineJob> {
    if (!('networks' in job) || job.networks === undefined) return job;
    const { swapper, restorer, maskers, providers } = job.networks;
    const { recogniser, converter, matrix } = swapper ?? {};
    const files = [swapper, restorer, ...(maskers ?? [])].map((network) => network?.file);
    await this.#takeBackAllBut([...files, recogniser, converter, matrix]);
    const lent = async (file: string | undefined) => file && (await this.#lendNetwork(file));
    const moved = async <Network extends { readonly file: string }>(network: Network): Promise<Network> => ({
      ...network,
      file: await this.#lendNetwork(network.file),
    });
    return {
      ...job,
      networks: {
        swapper: swapper && {
          ...(await moved(swapper)),
          recogniser: await lent(recogniser),
          converter: await lent(converter),
          matrix: await lent(matrix),
        },
        restorer: restorer && (await moved(restorer)),
        maskers: maskers && (await Promise.all(maskers.map(moved))),
        providers,
      },
    };
  }

  async #takeBackAllBut(needed: readonly (string | undefined)[]): Promise<void> {
    for (const [file, lent] of this.#networks) {
      if (needed.includes(file)) continue;
      this.#networks.delete(file);
      const { name, bytes } = await lent;
      this.#networkBytes -= bytes;
      if (this.#options.user !== null) await removeIfPossible(path.join(this.path, name));
    }
  }

  async #lendNetwork(file: string): Promise<string> {
    let lent = this.#networks.get(file);
    if (lent === undefined) {
      lent = this.#putNetwork(file);
      this.#networks.set(file, lent);
      // The next job tries again.
      lent.catch(() => this.#networks.delete(file));
    }
    return (await lent).name;
  }

  /** @throws TaskFailure ENGINE_UNAVAILABLE if the network was removed meanwhile */
  async #putNetwork(file: string): Promise<LentNetwork> {
    const { user } = this.#options;
    // Files of networks are named after their contents, so the process knows those that come back.
    const name = user === null ? file : `network-${path.basename(file)}`;
    try {
      if (user !== null) await lendFile(user, file, path.join(this.path, name), { isOurs: true });
      const { size } = await stat(file);
      this.#networkBytes += size;
      return { name, bytes: size };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new TaskFailure('ENGINE_UNAVAILABLE', 'The engine of this task was removed.', error);
    }
  }

  /** Size of the networks that the process has on loan, in bytes. */
  get networkBytes(): number {
    return this.#networkBytes;
  }

  /**
   * Moves a job's output out of the process's reach and checks it there, where the process cannot
   * replace it by a link to a file of ours. Only then is the output moved to its own path.
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

/**
 * Makes a file ours.
 * @throws Error if it is not a plain file that `user` owns
 */
async function claimFile(filePath: string, user: UnprivilegedUser | null): Promise<void> {
  await using file = await open(filePath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await file.stat();
  if (!found.isFile() || found.nlink !== 1 || (user !== null && found.uid !== user.uid))
    throw new Error("The engine's output is not a plain file that the engine owns.");
  if (user !== null) await file.chown(process.getuid!(), process.getgid!());
}

async function removeIfPossible(entry: string): Promise<void> {
  await removeSeized(Buffer.from(entry)).catch(() => {});
}

import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TaskFailure } from '@guise/contract/errors.ts';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import { makeFolderFor } from '@guise/media/isolation/lend.ts';
import { ENGINE_USER, ifPossible, type UnprivilegedUser } from '@guise/media/isolation/unprivileged-user.ts';
import type {
  ManifestContent,
  ManifestRequest,
  ManifestSigner,
} from '@guise/media/provenance/manifest-signer.ts';
import type {
  EngineInfo,
  EngineJob,
  EngineOutcome,
  MessageFromEngine,
  MessageToEngine,
  OnProgress,
} from '../protocol/engine-job.ts';
import { WARM_UP_DIR } from '../protocol/warm-up-dir.ts';
import { EngineFolder, type LentJob } from './engine-folder.ts';
import { forkEngine } from './fork-engine.ts';
import { JobSigner } from './job-signer.ts';
import { ActiveJobs, failAll } from './active-jobs.ts';
import { EngineDied } from './engine-died.ts';
import { StallWatch } from './stall-watch.ts';
import { residentBytes } from '@guise/media/isolation/process-usage.ts';

/** Settings of an engine process. All except the first two have defaults. */
export interface EngineProcessOptions {
  /** Folder of the converted models; see `EngineOptions`. */
  readonly modelCacheDir: string;
  /** Returns the signer of a job that starts now. The signer works in this process. */
  readonly currentSigner: () => ManifestSigner;
  /**
   * Returns the path of a new folder on the file system of the outputs, in which a process lives.
   * Default: a folder in the temporary folder.
   */
  readonly newFolder?: () => string;
  /** Whether inputs are this service's own files, which need no copy. Default: false. */
  readonly ownsInputs?: boolean;
  /**
   * User that the process becomes; null to stay as we are. Default: a user without rights if we are
   * root, otherwise null.
   */
  readonly user?: UnprivilegedUser | null;
  /**
   * Whether to swap samples until the first job, which then need not wait for compilation. Default:
   * true.
   */
  readonly warmUp?: boolean;
  /** Whether the process starts only when somebody waits for it. Default: false. */
  readonly startsOnDemand?: boolean;
  /** Script to fork. Tests have their own. */
  readonly script?: string;
  /** Resident size above which a process and its job are killed, with RESOURCE_LIMIT. */
  readonly memoryLimitBytes?: number;
  /** Time without progress after which a job is killed, with RESOURCE_LIMIT; see `StallWatch`. */
  readonly stallTimeoutMs?: number;
  /** Time that an aborted job has to stop by itself before it is killed. */
  readonly abortGraceMs?: number;
}

/** Hooks and signals of one job. */
export interface JobControl {
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  /**
   * Called when only encoding is left, so that the next job may start in this process; not called
   * for large images. Jobs without this hook run alone.
   */
  readonly onWriting?: () => void;
  /** Called with the analysis of a source that the job shares with others. */
  readonly onSourceAnalysis?: (analysis: SourceAnalysis | null) => void;
  /**
   * Another engine's analysis of the job's source, so that this engine need not analyse it; null if
   * there is none. Never rejects.
   */
  readonly sourceAnalysis?: Promise<SourceAnalysis | null>;
  /** What draws the faces, for the signature. Default: the process's own engine. */
  readonly drawnBy?: EngineInfo;
}

/** Bytes in a gibibyte. */
const GIBIBYTE = 1024 ** 3;
/** Pause between two measurements of a process's memory while it has a job. */
const MEMORY_CHECK_INTERVAL_MS = 250;
/** Resident size at which a process is replaced once it has no job. */
const RECYCLE_ABOVE_BYTES = 1.5 * GIBIBYTE;
/** Memory that an open network takes, as a multiple of its file: weights are laid out once more. */
const MEMORY_OF_NETWORK = 2;
/** First pause between failed starts, which doubles with each failed start. */
const BASE_RESTART_DELAY_MS = 250;
/** Longest pause between failed starts. */
const MAX_RESTART_DELAY_MS = 30_000;
/** Longest wait for a killed process to exit. After it, the process's jobs fail anyway. */
const EXIT_TIMEOUT_MS = 1000;
/** Number of characters at the end of stderr that are kept for the report of a crash. */
const STDERR_TAIL_CHARACTERS = 4000;

/**
 * Runs a warm engine in a separate process, which is started again if it ends. Jobs run one after
 * the other, except that one may begin while another writes its output.
 */
export class EngineProcess {
  readonly #options: Required<EngineProcessOptions>;
  #child: ChildProcess | null = null;
  #folder: EngineFolder | null = null;
  #isStarted = false;
  readonly #opened = Promise.withResolvers<void>();
  #ready: PromiseWithResolvers<EngineInfo>;
  #stderrTail = '';
  readonly #jobs = new ActiveJobs();
  #jobCount = 0;
  /** Whether the process must be replaced soon, so that no second job begins. */
  #isBig = false;
  #failedStarts = 0;
  /** Removals of the folders of processes, until they are done. */
  readonly #folders = new Set<Promise<void>>();
  #closing = new AbortController();

  constructor(options: EngineProcessOptions) {
    this.#options = {
      warmUp: true,
      startsOnDemand: false,
      newFolder: () => path.join(tmpdir(), `guise-engine-${randomUUID()}`),
      ownsInputs: false,
      user: ifPossible(ENGINE_USER),
      script: path.join(import.meta.dirname, '../child/engine-child.ts'),
      memoryLimitBytes: 4 * GIBIBYTE,
      stallTimeoutMs: 180_000,
      abortGraceMs: 250,
      ...options,
    };
    this.#opened.promise.catch(() => {});
    this.#ready = pending();
    if (!this.#options.startsOnDemand) this.#startFirst();
  }

  /** Whether a process was started, which may have ended since. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Current process id, for tests and metrics; null between two processes. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * Waits until a process has opened its networks, which shows that it can start.
   * @throws EngineDied if the first process could not start
   */
  whenOpened(): Promise<void> {
    return this.#opened.promise;
  }

  /**
   * Waits until the process takes jobs.
   * @throws EngineDied if the process could not start. Another start is then under way, so call
   * this again
   */
  whenReady(): Promise<EngineInfo> {
    if (!this.#isStarted) this.#startFirst();
    return this.#ready.promise;
  }

  /**
   * Runs a job when there is room for it.
   * @throws TaskFailure if the job failed; EngineDied if the process ended on its own;
   * `signal.reason` once aborted, at the latest `abortGraceMs` after
   */
  async run<J extends EngineJob>(job: J, control: JobControl = {}): Promise<EngineOutcome<J>> {
    let own = await this.whenReady();
    while (!this.#jobs.hasRoom(control.onWriting !== undefined && !this.#isBig)) {
      await this.#jobs.untilOneEnds();
      own = await this.whenReady();
    }
    control.signal?.throwIfAborted();
    const [child, folder] = [this.#child, this.#folder];
    if (child === null || folder === null) throw new EngineDied('the engine process is not running');
    return (await this.#perform(child, folder, job, {
      ...control,
      drawnBy: control.drawnBy ?? own,
    })) as EngineOutcome<J>;
  }

  /** Kills the process even while it has jobs, and removes its folder. */
  async close(): Promise<void> {
    this.#closing.abort();
    const child = this.#child;
    this.#child = null;
    const closed = new Error('the engine process is closed');
    this.#opened.reject(closed);
    this.#ready.reject(closed);
    this.#ready = pending();
    this.#ready.reject(closed);
    failAll(this.#jobs.detachAll(), closed);
    child?.kill('SIGKILL');
    // This includes folders of processes that ended earlier.
    await Promise.all(this.#folders);
  }

  async #perform(
    child: ChildProcess,
    folder: EngineFolder,
    job: EngineJob,
    {
      signal,
      onProgress = () => {},
      onWriting,
      onSourceAnalysis,
      sourceAnalysis,
      drawnBy,
    }: JobControl & { readonly drawnBy: EngineInfo },
  ): Promise<unknown> {
    const jobId = ++this.#jobCount;
    const jobSigner = new JobSigner(this.#options.currentSigner(), job, drawnBy);
    const { promise, resolve, reject } = pending<unknown>();
    const ended = Promise.withResolvers<void>();
    const { stallTimeoutMs, abortGraceMs } = this.#options;
    const stalled = new TaskFailure('RESOURCE_LIMIT', 'The request took too long to process.');
    const stallWatch = new StallWatch(child.pid ?? 0, stallTimeoutMs, () => this.#kill(child, stalled));
    let graceTimer: NodeJS.Timeout | undefined;
    this.#jobs.add(jobId, {
      finish: resolve,
      fail: reject,
      onProgress: (progress, frames) => {
        stallWatch.progress();
        onProgress(progress, frames);
      },
      onMeasure: (content) => void this.#measure(child, jobId, jobSigner, content),
      onSign: (request) => void this.#sign(child, jobId, jobSigner, request),
      onWriting,
      onSourceAnalysis,
      ended: ended.promise,
    });
    const onAbort = (): void => {
      send(child, { type: 'abort', jobId });
      graceTimer = setTimeout(() => this.#kill(child, signal?.reason), abortGraceMs);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const memoryTimer = setInterval(() => void this.#checkMemory(child, jobId), MEMORY_CHECK_INTERVAL_MS);
    try {
      await using lent = await folder.lend(job);
      signal?.throwIfAborted();
      const expectsSourceAnalysis = sourceAnalysis !== undefined;
      send(child, { type: 'job', jobId, job: lent.job, expectsSourceAnalysis });
      void sourceAnalysis?.then((analysis) => send(child, { type: 'source-analysis', jobId, analysis }));
      const outcome = await promise;
      signal?.throwIfAborted();
      await this.#takeOutput(child, lent);
      return outcome;
    } catch (error) {
      // An aborted job may fail with any error, but the reason is the abort.
      signal?.throwIfAborted();
      // If the process is gone, errors of its folder only follow from that.
      if (!this.#jobs.has(jobId)) await promise;
      throw error;
    } finally {
      this.#jobs.delete(jobId);
      stallWatch.stop();
      clearTimeout(graceTimer);
      clearInterval(memoryTimer);
      signal?.removeEventListener('abort', onAbort);
      await this.#recycleIfBig(child);
      ended.resolve();
    }
  }

  async #measure(
    child: ChildProcess,
    jobId: number,
    signer: JobSigner,
    content: ManifestContent,
  ): Promise<void> {
    try {
      send(child, { type: 'measured', jobId, manifestBytes: await signer.manifestBytes(content) });
    } catch (error) {
      this.#refuseSignature(child, jobId, error);
    }
  }

  async #sign(
    child: ChildProcess,
    jobId: number,
    signer: JobSigner,
    request: ManifestRequest,
  ): Promise<void> {
    try {
      send(child, { type: 'signed', jobId, manifest: await signer.sign(request) });
    } catch (error) {
      this.#refuseSignature(child, jobId, error);
    }
  }

  #refuseSignature(child: ChildProcess, jobId: number, error: unknown): void {
    if (!this.#jobs.has(jobId)) return;
    this.#kill(child, new EngineDied(`the engine process gets no signature: ${error}`));
  }

  async #takeOutput(child: ChildProcess, lent: LentJob): Promise<void> {
    try {
      await lent.takeOutput();
    } catch (error) {
      const died = new EngineDied(`the engine process left no output: ${error}`);
      this.#kill(child, died);
      throw died;
    }
  }

  async #checkMemory(child: ChildProcess, jobId: number): Promise<void> {
    const bytes = await residentBytes(child.pid ?? 0);
    const limit = this.#options.memoryLimitBytes + this.#networkMemory;
    if (bytes > limit && this.#jobs.has(jobId)) {
      this.#kill(
        child,
        new TaskFailure('RESOURCE_LIMIT', 'The request needs more memory than this service allows.'),
      );
    }
  }

  /** Memory that networks of the operator may take beside the limits, in bytes. */
  get #networkMemory(): number {
    return MEMORY_OF_NETWORK * (this.#folder?.networkBytes ?? 0);
  }

  async #recycleIfBig(child: ChildProcess): Promise<void> {
    this.#isBig = (await residentBytes(child.pid ?? 0)) >= RECYCLE_ABOVE_BYTES + this.#networkMemory;
    if (this.#isBig && this.#child === child && this.#jobs.count === 0) this.#abandon(child);
  }

  #kill(child: ChildProcess, reason: unknown): void {
    if (child !== this.#child) return;
    const jobs = this.#jobs.detachAll();
    this.#abandon(child);
    // The files of a failed job are deleted, but a process that has not ended yet could make new
    // ones.
    void exitOf(child).then(() => failAll(jobs, reason));
  }

  // Does not wait for the exit, because a process stuck in the kernel must not delay the next
  // process.
  #abandon(child: ChildProcess): void {
    this.#child = null;
    child.kill('SIGKILL');
    this.#ready = pending();
    this.#start();
  }

  #startFirst(): void {
    this.#isStarted = true;
    this.#start();
  }

  #start(): void {
    if (this.#closing.signal.aborted) return;
    try {
      this.#launch();
    } catch (error) {
      // The disk is full, or no further process can be started.
      this.#failToStart(new EngineDied(`the engine process cannot be started: ${error}`));
    }
  }

  #launch(): void {
    const { newFolder, user, ownsInputs, warmUp } = this.#options;
    const folder = new EngineFolder({ path: newFolder(), user, ownsInputs });
    if (warmUp) makeFolderFor(user, path.join(folder.path, WARM_UP_DIR));
    const child = this.#forkIn(folder);
    this.#child = child;
    this.#folder = folder;
    this.#isBig = false;
    this.#stderrTail = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
    });
    child.on('message', (message: MessageFromEngine) => this.#receive(child, message));
    // Waits for `close` instead of `exit`, because the rest of stderr is part of the report.
    child.once('close', (code, signal) => this.#ended(child, code, signal));
  }

  /**
   * Forks a process in a folder, which is removed once the process has ended or could not start.
   */
  #forkIn(folder: EngineFolder): ChildProcess {
    const gone = Promise.withResolvers<void>();
    const removed = gone.promise.then(() => folder.remove()).then(() => void this.#folders.delete(removed));
    this.#folders.add(removed);
    try {
      const child = forkEngine({ ...this.#options, folder: folder.path });
      child.once('exit', () => gone.resolve());
      child.on('error', () => {
        if (child.pid === undefined) gone.resolve();
      });
      return child;
    } catch (error) {
      gone.resolve();
      throw error;
    }
  }

  #receive(child: ChildProcess, message: MessageFromEngine): void {
    if (child !== this.#child) return;
    try {
      if (message.type === 'opened') this.#opened.resolve();
      else if (message.type === 'ready') {
        this.#failedStarts = 0;
        this.#ready.resolve(message.engine);
      } else this.#jobs.receive(message);
      if (message.type === 'failed' && message.mustRestart)
        this.#kill(child, new EngineDied('the engine process ran out of memory'));
    } catch (error) {
      this.#kill(child, new EngineDied(`the engine process sent an invalid message: ${error}`));
    }
  }

  #ended(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (child !== this.#child) return;
    this.#child = null;
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    const report = `the engine process ended ${how}${this.#stderrTail === '' ? '' : `: ${this.#stderrTail.trim()}`}`;
    const died = new EngineDied(report);
    failAll(this.#jobs.detachAll(), died);
    this.#failToStart(died);
  }

  #failToStart(reason: EngineDied): void {
    // Has no effect if the process had been ready. Otherwise the waiting callers learn why it did
    // not start.
    this.#opened.reject(reason);
    this.#ready.reject(reason);
    if (this.#closing.signal.aborted) return;
    this.#ready = pending();
    void this.#startLater();
  }

  async #startLater(): Promise<void> {
    const waitMs =
      this.#failedStarts === 0
        ? 0
        : Math.min(MAX_RESTART_DELAY_MS, BASE_RESTART_DELAY_MS * 2 ** this.#failedStarts);
    this.#failedStarts += 1;
    await delay(waitMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    this.#start();
  }
}

/** Waits until the process has exited, or for a limited time if it is stuck in the kernel. */
async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = Promise.withResolvers<void>();
  child.once('exit', () => exited.resolve());
  const timer = setTimeout(() => exited.resolve(), EXIT_TIMEOUT_MS);
  await exited.promise;
  clearTimeout(timer);
}

function send(child: ChildProcess, message: MessageToEngine): void {
  // This fails only if the process is ending, which `close` then reports.
  child.send(message, () => {});
}

function pending<T>(): PromiseWithResolvers<T> {
  const deferred = Promise.withResolvers<T>();
  // The promise may fail while nobody waits for it.
  deferred.promise.catch(() => {});
  return deferred;
}

import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TaskFailure } from '@guise/contract/errors.ts';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import { ENGINE_USER, ifPossible, type UnprivilegedUser } from '@guise/media/isolation/unprivileged-user.ts';
import type { ManifestRequest, ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import type {
  EngineInfo,
  EngineJob,
  EngineOutcome,
  MessageFromEngine,
  MessageToEngine,
  OnProgress,
} from '../protocol/engine-job.ts';
import { EngineFolder, type LentJob } from './engine-folder.ts';
import { forkEngine } from './fork-engine.ts';
import { JobSigner } from './job-signer.ts';
import { ActiveJobs, failAll } from './active-jobs.ts';
import { EngineDied } from './engine-died.ts';
import { residentBytes } from '@guise/media/isolation/resident-memory.ts';

export interface EngineProcessOptions {
  readonly modelCacheDir: string;
  /** Signs outputs, in this process. */
  readonly signer: ManifestSigner;
  /**
   * A path for a new folder, on the file system of the outputs: each process lives in one. Default:
   * the temporary folder's.
   */
  readonly newFolder?: () => string;
  /** Whether inputs are this service's own files, which need no copy. Default false. */
  readonly ownsInputs?: boolean;
  /**
   * Whom the process runs as. Default: a user without rights where we are root, else (null) as we
   * do.
   */
  readonly user?: UnprivilegedUser | null;
  /**
   * Run a sample through before the process counts as ready, so that no job waits for it. Default
   * true.
   */
  readonly warmUp?: boolean;
  /** The script to fork; tests give others. */
  readonly script?: string;
  /** A job that takes the process beyond this is killed: RESOURCE_LIMIT. */
  readonly memoryLimitBytes?: number;
  /** A job that says nothing for so long is killed: RESOURCE_LIMIT. */
  readonly stallTimeoutMs?: number;
  /** How long an aborted job may take to stop by itself before it is killed. */
  readonly abortGraceMs?: number;
}

export interface JobControl {
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  /**
   * The job may share the process with others that have this, and it is called when one may begin
   * beside it: its own result only has to be written. Of large pictures it is not called.
   */
  readonly onWriting?: () => void;
  /** Called with the analysis of a source that the job shares with others. */
  readonly onSourceAnalysis?: (analysis: SourceAnalysis | null) => void;
  /**
   * Another engine's analysis of the job's source, so that this one need not make its own; null if
   * there is none. Never rejects.
   */
  readonly sourceAnalysis?: Promise<SourceAnalysis | null>;
}

const GIBIBYTE = 1024 ** 3;
const MEMORY_CHECK_INTERVAL_MS = 250;
/** A process left this big by a job is replaced before the next one. */
const RECYCLE_BYTES = 1.5 * GIBIBYTE;
const LONGEST_RESTART_DELAY_MS = 30_000;
/** How long a killed process may take to be gone before its job is given up all the same. */
const EXIT_PATIENCE_MS = 1000;
const STDERR_TAIL_LENGTH = 4000;
/**
 * One warm engine in a process of its own, started anew whenever it ends. Runs one job after the
 * other, or the next one beside one that is being written.
 */
export class EngineProcess {
  readonly #options: Required<EngineProcessOptions>;
  #child: ChildProcess | null = null;
  #folder: EngineFolder | null = null;
  #ready: PromiseWithResolvers<EngineInfo>;
  #stderrTail = '';
  readonly #jobs = new ActiveJobs();
  #jobCount = 0;
  /** It is to be replaced, so no job begins beside another. */
  #isBig = false;
  #failedStarts = 0;
  /** Folders of processes, until they are removed. */
  readonly #folders = new Set<Promise<void>>();
  #closing = new AbortController();

  constructor(options: EngineProcessOptions) {
    this.#options = {
      warmUp: true,
      newFolder: () => path.join(tmpdir(), `guise-engine-${randomUUID()}`),
      ownsInputs: false,
      user: ifPossible(ENGINE_USER),
      script: path.join(import.meta.dirname, '../child/engine-child.ts'),
      memoryLimitBytes: 4 * GIBIBYTE,
      stallTimeoutMs: 180_000,
      abortGraceMs: 250,
      ...options,
    };
    this.#ready = pending();
    this.#start();
  }

  /** Process id of the moment, for tests and metrics; null between two processes. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * @throws EngineDied where the process could not start; another start is under way by then, so
   * ask again.
   */
  whenReady(): Promise<EngineInfo> {
    return this.#ready.promise;
  }

  /**
   * Waits for its turn.
   * @throws TaskFailure where the job failed; EngineDied where the process ended on its own;
   * `signal.reason` once aborted, at the latest `abortGraceMs` after.
   */
  async run<J extends EngineJob>(job: J, control: JobControl = {}): Promise<EngineOutcome<J>> {
    await this.whenReady();
    while (!this.#jobs.hasRoom(control.onWriting !== undefined && !this.#isBig)) {
      await this.#jobs.untilOneEnds();
      await this.whenReady();
    }
    control.signal?.throwIfAborted();
    const [child, folder] = [this.#child, this.#folder];
    if (child === null || folder === null) throw new EngineDied('the engine process is not running');
    return (await this.#perform(child, folder, job, control)) as EngineOutcome<J>;
  }

  /** Ends the process at once, whatever it does, and removes its folder. */
  async close(): Promise<void> {
    this.#closing.abort();
    const child = this.#child;
    this.#child = null;
    const closed = new Error('the engine process is closed');
    this.#ready.reject(closed);
    this.#ready = pending();
    this.#ready.reject(closed);
    failAll(this.#jobs.detachAll(), closed);
    child?.kill('SIGKILL');
    // Of processes that were ended before, too.
    await Promise.all(this.#folders);
  }

  async #perform(
    child: ChildProcess,
    folder: EngineFolder,
    job: EngineJob,
    { signal, onProgress = () => {}, onWriting, onSourceAnalysis, sourceAnalysis }: JobControl,
  ): Promise<unknown> {
    const jobId = ++this.#jobCount;
    const jobSigner = new JobSigner(this.#options.signer, job);
    const { promise, resolve, reject } = pending<unknown>();
    const ended = Promise.withResolvers<void>();
    const { stallTimeoutMs, abortGraceMs } = this.#options;
    const stalled = new TaskFailure('RESOURCE_LIMIT', 'The request took too long to process.');
    let stallTimer = setTimeout(() => this.#kill(child, stalled), stallTimeoutMs);
    let graceTimer: NodeJS.Timeout | undefined;
    this.#jobs.add(jobId, {
      finish: resolve,
      fail: reject,
      onProgress: (progress, frames) => {
        clearTimeout(stallTimer);
        stallTimer = setTimeout(() => this.#kill(child, stalled), stallTimeoutMs);
        onProgress(progress, frames);
      },
      onSign: (request) => void this.#sign(child, jobId, jobSigner, request),
      onWriting,
      onSourceAnalysis,
      ended: ended.promise,
    });
    const onAbort = (): void => {
      tell(child, { type: 'abort', jobId });
      graceTimer = setTimeout(() => this.#kill(child, signal?.reason), abortGraceMs);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const memoryTimer = setInterval(() => void this.#checkMemory(child, jobId), MEMORY_CHECK_INTERVAL_MS);
    try {
      await using lent = await folder.lend(job);
      const manifestBytes = await jobSigner.manifestBytes();
      signal?.throwIfAborted();
      const expectsSourceAnalysis = sourceAnalysis !== undefined;
      tell(child, { type: 'job', jobId, job: lent.job, expectsSourceAnalysis, manifestBytes });
      void sourceAnalysis?.then((analysis) => tell(child, { type: 'source-analysis', jobId, analysis }));
      const outcome = await promise;
      signal?.throwIfAborted();
      await this.#takeOutput(child, lent);
      return outcome;
    } catch (error) {
      // However an aborted job ended, it ended because of that.
      signal?.throwIfAborted();
      // The process is gone: what its folder answered then is no reason.
      if (!this.#jobs.has(jobId)) await promise;
      throw error;
    } finally {
      this.#jobs.delete(jobId);
      clearTimeout(stallTimer);
      clearTimeout(graceTimer);
      clearInterval(memoryTimer);
      signal?.removeEventListener('abort', onAbort);
      await this.#recycleIfBig(child);
      ended.resolve();
    }
  }

  async #sign(
    child: ChildProcess,
    jobId: number,
    signer: JobSigner,
    request: ManifestRequest,
  ): Promise<void> {
    try {
      tell(child, { type: 'signed', jobId, manifest: await signer.sign(request) });
    } catch (error) {
      if (!this.#jobs.has(jobId)) return;
      this.#kill(child, new EngineDied(`the engine process gets no signature: ${error}`));
    }
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
    if (bytes > this.#options.memoryLimitBytes && this.#jobs.has(jobId)) {
      this.#kill(
        child,
        new TaskFailure('RESOURCE_LIMIT', 'The request needs more memory than this service allows.'),
      );
    }
  }

  async #recycleIfBig(child: ChildProcess): Promise<void> {
    this.#isBig = (await residentBytes(child.pid ?? 0)) >= RECYCLE_BYTES;
    if (this.#isBig && this.#child === child && this.#jobs.count === 0) this.#abandon(child);
  }

  #kill(child: ChildProcess, reason: unknown): void {
    if (child !== this.#child) return;
    const jobs = this.#jobs.detachAll();
    this.#abandon(child);
    // A failed job's files are deleted, and a process that has not ended yet could make new ones.
    void exitOf(child).then(() => failAll(jobs, reason));
  }

  // Does not wait for the exit: a process stuck in the kernel must not hold up its successor.
  #abandon(child: ChildProcess): void {
    this.#child = null;
    child.kill('SIGKILL');
    this.#ready = pending();
    this.#start();
  }

  #start(): void {
    if (this.#closing.signal.aborted) return;
    try {
      this.#launch();
    } catch (error) {
      // A full disk, or no more processes.
      this.#failToStart(new EngineDied(`the engine process cannot be started: ${error}`));
    }
  }

  #launch(): void {
    const { newFolder, user, ownsInputs } = this.#options;
    const folder = new EngineFolder({ path: newFolder(), user, ownsInputs });
    const child = this.#forkIn(folder);
    this.#child = child;
    this.#folder = folder;
    this.#isBig = false;
    this.#stderrTail = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_LENGTH);
    });
    child.on('message', (message: MessageFromEngine) => this.#receive(child, message));
    // `close`, not `exit`: what it still had to say on stderr is part of the report.
    child.once('close', (code, signal) => this.#ended(child, code, signal));
  }

  /**
   * A process together with the folder it lives in, which is removed once it has ended or could not
   * start.
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
      if (message.type === 'ready') {
        this.#failedStarts = 0;
        this.#ready.resolve(message.engine);
      } else this.#jobs.receive(message);
    } catch (error) {
      this.#kill(child, new EngineDied(`the engine process sent what is no message: ${error}`));
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
    // No effect where it had been ready; otherwise whoever waits for it learns why it did not come
    // up.
    this.#ready.reject(reason);
    if (this.#closing.signal.aborted) return;
    this.#ready = pending();
    void this.#startLater();
  }

  async #startLater(): Promise<void> {
    const waitMs =
      this.#failedStarts === 0 ? 0 : Math.min(LONGEST_RESTART_DELAY_MS, 250 * 2 ** this.#failedStarts);
    this.#failedStarts += 1;
    await delay(waitMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    this.#start();
  }
}

/** Resolves once the process is gone, or after a while where it is stuck in the kernel. */
async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = Promise.withResolvers<void>();
  child.once('exit', () => exited.resolve());
  const timer = setTimeout(() => exited.resolve(), EXIT_PATIENCE_MS);
  await exited.promise;
  clearTimeout(timer);
}

function tell(child: ChildProcess, message: MessageToEngine): void {
  // Fails only where the process is ending; `close` then says so.
  child.send(message, () => {});
}

function pending<T>(): PromiseWithResolvers<T> {
  const deferred = Promise.withResolvers<T>();
  // Somebody may or may not be waiting when it fails.
  deferred.promise.catch(() => {});
  return deferred;
}

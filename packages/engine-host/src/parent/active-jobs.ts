import { TaskFailure } from '@guise/contract/errors.ts';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import type { ManifestContent, ManifestRequest } from '@guise/media/provenance/manifest-signer.ts';
import type { MessageFromEngine, OnProgress } from '../protocol/engine-job.ts';
import { EngineDied } from './engine-died.ts';

/** Handlers of the messages of a job that an engine process works on. */
export interface ActiveJob {
  readonly finish: (outcome: unknown) => void;
  readonly fail: (error: unknown) => void;
  readonly onProgress: OnProgress;
  readonly onMeasure: (content: ManifestContent) => void;
  readonly onSign: (request: ManifestRequest) => void;
  /** See `JobControl`. */
  readonly onWriting: (() => void) | undefined;
  readonly onSourceAnalysis: ((analysis: SourceAnalysis) => void) | undefined;
  /** Resolves when the job has left the process in any way. */
  readonly ended: Promise<void>;
}

/** Jobs of one engine process. There are at most two, and the first is then writing its output. */
export class ActiveJobs {
  readonly #jobs = new Map<number, ActiveJob>();
  readonly #writing = new Set<number>();

  get count(): number {
    return this.#jobs.size;
  }

  /**
   * Returns whether a job may begin.
   * @param mayShare whether the job may run beside another one
   */
  hasRoom(mayShare: boolean): boolean {
    return this.count === 0 || (this.count === 1 && this.#writing.size === 1 && mayShare);
  }

  /** Waits until one of the jobs has left the process. */
  async untilOneEnds(): Promise<void> {
    await Promise.race(Array.from(this.#jobs.values(), ({ ended }) => ended));
  }

  has(jobId: number): boolean {
    return this.#jobs.has(jobId);
  }

  add(jobId: number, job: ActiveJob): void {
    this.#jobs.set(jobId, job);
  }

  delete(jobId: number): void {
    this.#jobs.delete(jobId);
    this.#writing.delete(jobId);
  }

  /** Passes a message of the process to its job. Messages of jobs that have left are dropped. */
  receive(message: Exclude<MessageFromEngine, { type: 'opened' | 'ready' }>): void {
    const job = this.#jobs.get(message.jobId);
    if (job === undefined) return;
    switch (message.type) {
      case 'progress':
        job.onProgress(message.progress, message.frames);
        break;
      case 'measure':
        job.onMeasure(message.content);
        break;
      case 'sign':
        job.onSign(message.request);
        break;
      case 'source-analysis':
        job.onSourceAnalysis?.(message.analysis);
        break;
      case 'writing':
        if (job.onWriting === undefined) break;
        this.#writing.add(message.jobId);
        job.onWriting();
        break;
      case 'done':
        job.finish(message.outcome);
        break;
      case 'failed':
        job.fail(new TaskFailure(message.code, message.message, message.detail));
    }
  }

  /** Removes all jobs and returns them, because their process has ended or will be ended. */
  detachAll(): readonly ActiveJob[] {
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    this.#writing.clear();
    return jobs;
  }
}

/**
 * Rejects the jobs of a process that has ended. A single job gets `reason`. Two jobs get an
 * `EngineDied` that blames neither of them, because either may have ended the process.
 */
export function failAll(jobs: readonly ActiveJob[], reason: unknown): void {
  const error =
    jobs.length < 2
      ? reason
      : new EngineDied(reason instanceof Error ? reason.message : String(reason), false);
  for (const { fail } of jobs) fail(error);
}

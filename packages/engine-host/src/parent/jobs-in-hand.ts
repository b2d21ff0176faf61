import { TaskFailure } from '@guise/contract/errors.ts';
import type { SeenSource } from '@guise/engine/pipeline/source-photos.ts';
import type { ManifestRequest } from '@guise/media/provenance/manifest-signer.ts';
import type { MessageFromEngine, OnProgress } from '../protocol/engine-job.ts';

/** The engine's process ended while it had a job, or before it was ready for one, and nobody here ended it. */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
  /** false: it had two jobs, and either may have ended it. */
  readonly wasAlone: boolean;

  constructor(message: string, wasAlone = true) {
    super(message);
    this.wasAlone = wasAlone;
  }
}

export interface JobInHand {
  readonly finish: (outcome: unknown) => void;
  readonly fail: (error: unknown) => void;
  readonly onProgress: OnProgress;
  readonly onSign: (request: ManifestRequest) => void;
  /** See `JobControl`. */
  readonly onWriting: (() => void) | undefined;
  readonly onSeen: ((seen: SeenSource) => void) | undefined;
  readonly ended: Promise<void>;
}

/** What one engine process works on: one job, or two of which the first is being written. */
export class JobsInHand {
  readonly #jobs = new Map<number, JobInHand>();
  readonly #writing = new Set<number>();

  get count(): number {
    return this.#jobs.size;
  }

  /** @param mayShare whether the job may run beside another one. */
  hasRoom(mayShare: boolean): boolean {
    return this.count === 0 || (this.count === 1 && this.#writing.size === 1 && mayShare);
  }

  async untilOneEnds(): Promise<void> {
    await Promise.race(Array.from(this.#jobs.values(), ({ ended }) => ended));
  }

  has(jobId: number): boolean {
    return this.#jobs.has(jobId);
  }

  add(jobId: number, job: JobInHand): void {
    this.#jobs.set(jobId, job);
  }

  delete(jobId: number): void {
    this.#jobs.delete(jobId);
    this.#writing.delete(jobId);
  }

  /** Passes on what the process says; of a job that is no longer in hand nobody wants to know. */
  receive(message: Exclude<MessageFromEngine, { type: 'ready' }>): void {
    const job = this.#jobs.get(message.jobId);
    if (job === undefined) return;
    switch (message.type) {
      case 'progress':
        job.onProgress(message.progress, message.frames);
        break;
      case 'sign':
        job.onSign(message.request);
        break;
      case 'seen-source':
        job.onSeen?.(message.seen);
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

  /** The process is gone or about to be. @returns tells the jobs why; of two, either may be what `reason` is about. */
  letGo(reason: unknown): () => void {
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    this.#writing.clear();
    const told =
      jobs.length < 2
        ? reason
        : new EngineDied(reason instanceof Error ? reason.message : String(reason), false);
    return () => {
      for (const { fail } of jobs) fail(told);
    };
  }
}

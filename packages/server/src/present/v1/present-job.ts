import { v1FailureCode } from '@guise/contract/wire-codes.ts';
import type { BatchEntry, BatchResults, V1Job } from '@guise/contract/v1/schemas.ts';
import type { V1VideoFormat } from '@guise/contract/v1/values.ts';
import type { FileLinks } from '../../storage/file-links.ts';
import type { StoredOutput, Task } from '../../tasks/task.ts';
import { remainingSeconds } from './estimate-time.ts';
import { toJobId } from './job-id.ts';
import { parametersOf } from './job-parameters.ts';

/**
 * Presents a video or batch task as the status endpoint shows it (docs/spec/v1#job-status-response,
 * docs/spec/v1#failed-job, docs/spec/details#cancel).
 * @param now current time, for `estimated_remaining`.
 */
export function presentJob(task: Task, links: FileLinks, now = new Date()): V1Job {
  return task.type === 'BATCH_FACE_SWAP' ? presentBatch(task, links) : presentVideo(task, links, now);
}

function presentVideo(task: Task, links: FileLinks, now: Date): V1Job {
  const job = { success: true, job_id: toJobId(task.id), type: 'video_swap' } as const;
  const progress = percentOf(task);
  switch (task.status) {
    case 'PENDING':
      return { ...job, status: 'queued', progress };
    case 'PROCESSING': {
      const { done, total } = framesOf(task);
      return {
        ...job,
        status: 'processing',
        progress,
        current_frame: done,
        total_frames: total,
        estimated_remaining: remainingSeconds(task, now),
      };
    }
    case 'COMPLETED':
      return { ...job, status: 'completed', progress, ...presentVideoOutput(task, links) };
    case 'FAILED':
    case 'CANCELLED':
      return { ...job, success: false, status: 'failed', progress, ...presentFailure(task) };
  }
}

function presentBatch(task: Task, links: FileLinks): V1Job {
  const job = { success: true, job_id: toJobId(task.id), type: 'batch_swap' } as const;
  const progress = percentOf(task);
  switch (task.status) {
    // A waiting batch may already have results, if its worker died and it was returned to the
    // queue.
    case 'PENDING':
    case 'PROCESSING': {
      const { total_images, completed, failed, results } = presentBatchResults(task, links);
      return {
        ...job,
        status: task.status === 'PENDING' ? 'queued' : 'processing',
        progress,
        total_images,
        completed,
        failed,
        partial_results: results,
      };
    }
    case 'COMPLETED':
      return { ...job, status: 'completed', progress, ...presentBatchResults(task, links) };
    case 'FAILED':
    case 'CANCELLED':
      return {
        ...job,
        success: false,
        status: 'failed',
        progress,
        ...presentFailure(task),
        ...presentBatchResults(task, links),
      };
  }
}

/**
 * Presents the results of a batch (docs/spec/v1#batch-completed-response), finished or not, without
 * the fields that all jobs share.
 */
export function presentBatchResults(task: Task, links: FileLinks): BatchResults {
  const { outputs = [], failures = [] } = task.result ?? {};
  const results: BatchEntry[] = [
    ...outputs.map((output) => ({
      index: output.index,
      success: true as const,
      output_url: linkTo(output, links),
    })),
    ...failures.map(({ index, code }) => ({ index, success: false as const, error: v1FailureCode(code) })),
  ];
  return {
    total_images: parametersOf(task).total_images!,
    completed: outputs.length,
    failed: failures.length,
    credits_used: task.costCredits,
    results: results.sort((a, b) => a.index - b.index),
  };
}

/** Presents the fields that only a completed video has. The task must be COMPLETED. */
export function presentVideoOutput(task: Task, links: FileLinks) {
  const output = task.result!.outputs[0]!;
  return {
    output_url: linkTo(output, links),
    output_format: parametersOf(task).output_format as V1VideoFormat,
    resolution: resolutionOf(output),
    duration: output.durationSeconds!,
    file_size: output.sizeBytes,
    processing_time: processingMs(task),
    credits_used: task.costCredits,
    expires_at: output.expiresAt,
  };
}

/** Presents a FAILED or CANCELLED task as a failed job, because `/v1` has no cancelled status. */
export function presentFailure({ status, error }: Task) {
  if (status === 'CANCELLED') return { error: 'CANCELLED', message: 'The job was cancelled.' } as const;
  return { error: v1FailureCode(error!.code), message: error!.message };
}

export function linkTo(output: StoredOutput, links: FileLinks): string {
  return links.sign(output.objectKey, new Date(output.expiresAt));
}

export function resolutionOf({ width, height }: StoredOutput): string {
  return `${width}x${height}`;
}

/**
 * Returns the time from the start of the work to its end. If no worker started it, the time is
 * counted from its creation.
 */
export function processingMs({ startedAt, createdAt, completedAt }: Task): number {
  return Math.max(0, completedAt!.getTime() - (startedAt ?? createdAt).getTime());
}

/** Returns the progress in percent. Only a completed task has 100. */
function percentOf({ status, progress }: Task): number {
  return status === 'COMPLETED' ? 100 : Math.min(99, Math.floor(progress * 100));
}

function framesOf(task: Task): { done: number; total: number } {
  const counted = task.result?.progressFrames;
  if (counted !== undefined) return { done: Math.min(counted.done, counted.total), total: counted.total };
  const total = parametersOf(task).total_frames ?? 0;
  return { done: Math.floor(task.progress * total), total };
}

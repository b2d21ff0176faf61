import { webhookEventName } from '@guise/contract/v1/webhook-events.ts';
import type { WebhookEvent } from '@guise/contract/v1/webhook-schemas.ts';
import { toJobId } from '../present/v1/job-id.ts';
import { presentBatchResults, presentFailure, presentVideoOutput } from '../present/v1/present-job.ts';
import type { FileLinks } from '../storage/file-links.ts';
import type { Task } from '../tasks/task.ts';

/** Presents the event of a job that has ended (docs/spec/v1#events). */
export function presentEvent(task: Task, links: FileLinks): WebhookEvent {
  const event = webhookEventName(task.type, task.status);
  const job_id = toJobId(task.id);
  switch (event) {
    case 'video_swap.completed': {
      const output = presentVideoOutput(task, links);
      return {
        event,
        job_id,
        status: 'completed',
        output_url: output.output_url,
        duration: output.duration,
        resolution: output.resolution,
        processing_time: output.processing_time,
        credits_used: output.credits_used,
      };
    }
    case 'batch_swap.completed':
      return { event, success: true, job_id, status: 'completed', ...presentBatchResults(task, links) };
    case 'video_swap.failed':
    case 'batch_swap.failed':
      return { event, job_id, status: 'failed', ...presentFailure(task) };
    case null:
      throw new Error(`no event is sent for task ${task.id}: ${task.type}, ${task.status}`);
  }
}

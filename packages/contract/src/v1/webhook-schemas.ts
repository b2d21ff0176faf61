import { type Static, Type } from 'typebox';
import { jobSchemas } from './schemas.ts';
import { closedObject } from '../schema-parts.ts';

// Bodies that are posted to a `webhook_url` (docs/spec/v1#events).

const video = jobSchemas.videoCompleted.properties;
const batch = jobSchemas.batchCompleted.properties;
const failed = jobSchemas.videoFailed.properties;

export const videoCompletedEventSchema = closedObject(
  {
    event: Type.Literal('video_swap.completed'),
    job_id: video.job_id,
    status: video.status,
    output_url: video.output_url,
    duration: video.duration,
    resolution: video.resolution,
    processing_time: video.processing_time,
    credits_used: video.credits_used,
  },
  { title: 'VideoCompleted' },
);

/** Like the answer for a completed batch, but with `event`. */
export const batchCompletedEventSchema = closedObject(
  {
    event: Type.Literal('batch_swap.completed'),
    success: batch.success,
    job_id: batch.job_id,
    status: batch.status,
    total_images: batch.total_images,
    completed: batch.completed,
    failed: batch.failed,
    credits_used: batch.credits_used,
    results: batch.results,
  },
  { title: 'BatchCompleted' },
);

const failedEventSchema = closedObject(
  {
    event: Type.Enum(['video_swap.failed', 'batch_swap.failed']),
    job_id: failed.job_id,
    status: failed.status,
    error: failed.error,
    message: failed.message,
  },
  { title: 'SwapFailed' },
);

export const webhookEventSchema = Type.Union([
  videoCompletedEventSchema,
  batchCompletedEventSchema,
  failedEventSchema,
]);
export type WebhookEvent = Static<typeof webhookEventSchema>;

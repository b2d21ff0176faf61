import { clipFormatList } from '../ai-tasks/form.ts';
import { EXAMPLE_FACE } from '../openapi-parts.ts';
import type { V1ErrorCode } from '../wire-codes.ts';
import { TARGET_VIDEO_FORMATS } from './values.ts';
import type { WebhookEventName } from './webhook-events.ts';

const job_id = 'job_0f8fad5bd9cb469fa16570867728950e';
const link = 'https://swap.example.com/files/output/5b1d.png?expires=1786786200&signature=3mJq';
const video = { success: true, job_id, type: 'video_swap' };
const batch = { success: true, job_id, type: 'batch_swap' };
const results = [
  { index: 0, success: true, output_url: link },
  { index: 1, success: false, error: 'NO_FACE_DETECTED' },
];

/** Example bodies for the OpenAPI description. A test checks each against its schema. */
export const V1_EXAMPLES = {
  image: {
    success: true,
    job_id,
    output_url: link,
    output_format: 'png',
    resolution: '1200x900',
    processing_time: 310,
    faces_detected: 1,
    credits_used: 3,
  },
  quote: {
    dryRun: true,
    credits_estimated: 3,
    faces: { source_image: [EXAMPLE_FACE], target_image: [EXAMPLE_FACE] },
    warnings: [],
  },
  videoAccepted: {
    success: true,
    job_id,
    status: 'processing',
    estimated_time: 18,
    progress: 0,
    credits_estimated: 20,
  },
  batchAccepted: {
    success: true,
    job_id,
    status: 'processing',
    total_images: 2,
    completed: 0,
    failed: 0,
    estimated_time: 3,
    credits_estimated: 6,
  },
  events: {
    'video_swap.completed': {
      event: 'video_swap.completed',
      job_id,
      status: 'completed',
      output_url: link.replace('png', 'mp4'),
      duration: 9.6,
      resolution: '1280x720',
      processing_time: 15_200,
      credits_used: 20,
    },
    'video_swap.failed': {
      event: 'video_swap.failed',
      job_id,
      status: 'failed',
      error: 'NO_FACE_DETECTED',
      message: 'No face was found in the target video.',
    },
    'batch_swap.completed': {
      event: 'batch_swap.completed',
      success: true,
      job_id,
      status: 'completed',
      total_images: 2,
      completed: 1,
      failed: 1,
      credits_used: 3,
      results,
    },
    'batch_swap.failed': {
      event: 'batch_swap.failed',
      job_id,
      status: 'failed',
      error: 'CANCELLED',
      message: 'The job was cancelled.',
    },
  } satisfies Record<WebhookEventName, object>,
  jobs: {
    videoQueued: { ...video, status: 'queued', progress: 0 },
    videoProcessing: {
      ...video,
      status: 'processing',
      progress: 40,
      current_frame: 100,
      total_frames: 250,
      estimated_remaining: 11,
    },
    videoCompleted: {
      ...video,
      status: 'completed',
      progress: 100,
      output_url: link.replace('.png', '.mp4'),
      output_format: 'mp4',
      resolution: '1920x1080',
      duration: 10,
      file_size: 4_182_311,
      processing_time: 17_420,
      credits_used: 20,
      expires_at: '2026-08-15T09:30:00.000Z',
    },
    videoFailed: {
      ...video,
      success: false,
      status: 'failed',
      progress: 55,
      error: 'NO_FACE_DETECTED',
      message: 'No face was found in the target video.',
    },
    batchQueued: {
      ...batch,
      status: 'queued',
      progress: 0,
      total_images: 2,
      completed: 0,
      failed: 0,
      partial_results: [],
    },
    batchProcessing: {
      ...batch,
      status: 'processing',
      progress: 50,
      total_images: 2,
      completed: 1,
      failed: 0,
      partial_results: results.slice(0, 1),
    },
    batchCompleted: {
      ...batch,
      status: 'completed',
      progress: 100,
      total_images: 2,
      completed: 1,
      failed: 1,
      credits_used: 3,
      results,
    },
    batchFailed: {
      ...batch,
      success: false,
      status: 'failed',
      progress: 50,
      error: 'CANCELLED',
      message: 'The job was cancelled.',
      total_images: 2,
      completed: 1,
      failed: 0,
      credits_used: 3,
      results: results.slice(0, 1),
    },
  },
};

interface ErrorExample {
  readonly message: string;
  readonly field?: string;
  readonly required?: number;
  readonly available?: number;
  readonly limit?: number;
  readonly reset_seconds?: number;
}

/** Example of each error's body, without the members that all errors share. */
const V1_ERROR_EXAMPLES: Record<V1ErrorCode, ErrorExample> = {
  INVALID_REQUEST: { message: 'quality must be standard or high or 4k.', field: 'quality' },
  NO_FACE_DETECTED: { message: 'No face was found in the source image.' },
  FACE_INDEX_OUT_OF_RANGE: {
    message: 'face_index is too large. The target image has 2 faces, numbered from 0: there is no face 3.',
    field: 'face_index',
  },
  IMAGE_TOO_LARGE: {
    message: 'target_image is larger than 52428800 bytes.',
    field: 'target_image',
    limit: 52_428_800,
  },
  VIDEO_TOO_LARGE: {
    message: 'target_video is larger than 524288000 bytes.',
    field: 'target_video',
    limit: 524_288_000,
  },
  VIDEO_TOO_LONG: { message: 'target_video is longer than 600 seconds.', field: 'target_video', limit: 600 },
  RESOLUTION_TOO_HIGH: {
    message: 'target_video has more than 4096 x 2304 pixels.',
    field: 'target_video',
    limit: 4096,
  },
  INVALID_FORMAT: {
    message: `target_video must be of type ${clipFormatList(TARGET_VIDEO_FORMATS)}.`,
    field: 'target_video',
  },
  BATCH_TOO_LARGE: {
    message: 'target_images has more than 10 images, the limit of this plan.',
    field: 'target_images',
    limit: 10,
  },
  MEDIA_UNREACHABLE: {
    message: 'source_image could not be fetched: it answered 404.',
    field: 'source_image',
  },
  MODERATION_REFUSED: { message: "The operator's moderation refused this task. The target is not allowed." },
  ENGINE_UNAVAILABLE: { message: 'engine must be mesh: no worker has inswapper.', field: 'engine' },
  CONSENT_REQUIRED: {
    message: 'consent is missing: the operator of this service asks who agreed to the use of the face.',
    field: 'consent',
  },
  FACE_BLOCKED: {
    message: 'source_image shows a person whose face must not be used here.',
    field: 'source_image',
  },
  FACE_WITHDRAWN: {
    message: 'source_face_id is a face whose consent was withdrawn.',
    field: 'source_face_id',
  },
  INVALID_WEBHOOK_URL: {
    message: 'webhook_url cannot be used: its host has no public address.',
    field: 'webhook_url',
  },
  INVALID_API_KEY: { message: 'A valid API key is needed, once, as "Authorization: Bearer <API_KEY>".' },
  INSUFFICIENT_CREDITS: {
    message: 'This task costs 3 credits and the account has 2.',
    required: 3,
    available: 2,
  },
  IP_NOT_ALLOWED: { message: 'This address is not on the allowlist of the account.' },
  JOB_NOT_FOUND: { message: 'There is no such job.' },
  IDEMPOTENCY_CONFLICT: {
    message: 'This Idempotency-Key was already used for another request.',
    field: 'Idempotency-Key',
  },
  JOB_FINISHED: { message: 'The task is COMPLETED and can no longer be cancelled.' },
  RATE_LIMITED: { message: 'Too many requests; try again in 42 seconds.', limit: 10, reset_seconds: 42 },
  CONCURRENT_BATCH_LIMIT: { message: 'Your plan allows one batch at a time.', limit: 1, reset_seconds: 30 },
  INTERNAL_ERROR: { message: 'The service failed to handle this request.' },
  BUSY: { message: 'The service was too busy to swap the face in time; try again later.' },
};

export function v1ErrorExample(error: V1ErrorCode) {
  return {
    success: false,
    error,
    request_id: '7d0d8c1e-6a0c-4f0e-9b55-0a4d8a7f3f10',
    ...V1_ERROR_EXAMPLES[error],
  };
}

import { type Static, Type } from 'typebox';
import { detectedFaceSchema, warningSchema } from '../ai-tasks/schemas.ts';
import { errorCreditsSchemas, errorFieldSchema } from '../openapi-parts.ts';
import { V1_ERROR_STATUS, V1_FAILURE_CODES } from '../wire-codes.ts';
import { STILL_FORMATS, VIDEO_FORMATS } from './values.ts';
import { closedObject, dateTime } from '../schema-parts.ts';

/** Schemas of the bodies of `/v1` (docs/spec/v1#resources-and-their-fields). */

const count = Type.Integer({ minimum: 0 });
const seconds = Type.Integer({ minimum: 1, description: 'Seconds.' });
const milliseconds = Type.Integer({ minimum: 0, description: 'Milliseconds.' });
const credits = Type.Integer({ minimum: 0, description: 'Credits.' });
const jobId = Type.String({ pattern: '^job_[0-9a-f]{32}$' });
const outputUrl = Type.String({
  format: 'uri',
  description: 'A signed link, valid without a key for 24 hours.',
});
const resolution = Type.String({ pattern: '^[0-9]+x[0-9]+$', description: '<width>x<height> in pixels.' });
const percent = Type.Integer({ minimum: 0, maximum: 100, description: 'Percent; never decreases.' });
const failureCode = Type.Enum([...V1_FAILURE_CODES]);

export const v1ErrorSchema = closedObject({
  success: Type.Literal(false),
  error: Type.Enum(Object.keys(V1_ERROR_STATUS)),
  message: Type.String({ description: 'One plain sentence naming the field and the limit.' }),
  request_id: Type.String({ format: 'uuid', description: 'Also in X-Request-Id.' }),
  field: errorFieldSchema,
  ...errorCreditsSchemas,
  limit: Type.Optional(
    Type.Integer({
      description: 'The limit that was exceeded: bytes, pixels, seconds, a count, requests or waiting tasks.',
    }),
  ),
  reset_seconds: Type.Optional(
    Type.Integer({ description: 'Seconds after which the request can be sent again (429).' }),
  ),
});

export const imageResultSchema = closedObject({
  success: Type.Literal(true),
  job_id: jobId,
  output_url: outputUrl,
  output_format: Type.Enum([...STILL_FORMATS]),
  resolution,
  processing_time: milliseconds,
  faces_detected: Type.Integer({ minimum: 0, description: 'In the target image.' }),
  credits_used: credits,
});
export type ImageResult = Static<typeof imageResultSchema>;

export const videoAcceptedSchema = closedObject({
  success: Type.Literal(true),
  job_id: jobId,
  status: Type.Literal('processing'),
  estimated_time: seconds,
  progress: Type.Literal(0),
  credits_estimated: credits,
});

export const batchAcceptedSchema = closedObject({
  success: Type.Literal(true),
  job_id: jobId,
  status: Type.Literal('processing'),
  total_images: count,
  completed: Type.Literal(0),
  failed: Type.Literal(0),
  estimated_time: seconds,
  credits_estimated: credits,
});

const batchEntrySchema = Type.Union([
  closedObject(
    { index: count, success: Type.Literal(true), output_url: outputUrl },
    { title: 'SwappedItem' },
  ),
  closedObject({ index: count, success: Type.Literal(false), error: failureCode }, { title: 'FailedItem' }),
]);
export type BatchEntry = Static<typeof batchEntrySchema>;

const videoJob = { success: Type.Boolean(), job_id: jobId, type: Type.Literal('video_swap') };
const batchJob = { success: Type.Boolean(), job_id: jobId, type: Type.Literal('batch_swap') };
const failure = { error: failureCode, message: Type.String() };
const batchCounts = { total_images: count, completed: count, failed: count };
const batchSoFar = { progress: percent, ...batchCounts, partial_results: Type.Array(batchEntrySchema) };
const batchResults = { ...batchCounts, credits_used: credits, results: Type.Array(batchEntrySchema) };

/** Answers of the status endpoint, by type and status of the job. */
export const jobSchemas = {
  videoQueued: closedObject({ ...videoJob, status: Type.Literal('queued'), progress: percent }),
  videoProcessing: closedObject({
    ...videoJob,
    status: Type.Literal('processing'),
    progress: percent,
    current_frame: count,
    total_frames: count,
    estimated_remaining: seconds,
  }),
  videoCompleted: closedObject({
    ...videoJob,
    status: Type.Literal('completed'),
    progress: percent,
    output_url: outputUrl,
    output_format: Type.Enum([...VIDEO_FORMATS]),
    resolution,
    duration: Type.Number({ minimum: 0, description: 'Seconds.' }),
    file_size: Type.Integer({ minimum: 1, description: 'Bytes.' }),
    processing_time: milliseconds,
    credits_used: credits,
    expires_at: dateTime,
  }),
  videoFailed: closedObject({ ...videoJob, status: Type.Literal('failed'), progress: percent, ...failure }),
  batchQueued: closedObject({ ...batchJob, status: Type.Literal('queued'), ...batchSoFar }),
  batchProcessing: closedObject({ ...batchJob, status: Type.Literal('processing'), ...batchSoFar }),
  batchCompleted: closedObject({
    ...batchJob,
    status: Type.Literal('completed'),
    progress: percent,
    ...batchResults,
  }),
  batchFailed: closedObject({
    ...batchJob,
    status: Type.Literal('failed'),
    progress: percent,
    ...failure,
    ...batchResults,
  }),
};
export type V1Job = Static<(typeof jobSchemas)[keyof typeof jobSchemas]>;
export const jobSchema = Type.Union(Object.values(jobSchemas));

/** Results of a batch, for the status endpoint and the completion webhook. */
export interface BatchResults {
  readonly total_images: number;
  readonly completed: number;
  readonly failed: number;
  readonly credits_used: number;
  readonly results: BatchEntry[];
}

export const v1QuoteSchema = closedObject({
  dryRun: Type.Literal(true),
  credits_estimated: credits,
  faces: Type.Record(Type.String(), Type.Array(detectedFaceSchema), {
    description: 'The faces of each image sent; videos and batch targets given as URLs are not searched.',
  }),
  warnings: Type.Array(warningSchema),
});
export type V1Quote = Static<typeof v1QuoteSchema>;

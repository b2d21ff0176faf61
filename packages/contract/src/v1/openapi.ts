import { clipFormatList } from '../ai-tasks/form.ts';
import { ENGINE_ID } from '../engines.ts';
import { AI_TASKS_LIMITS, V1_LIMITS } from '../limits.ts';
import { POST_PARAMETERS, READ_DESCRIPTION, SECURITY_SCHEMES } from '../openapi-parts.ts';
import { DEFAULT_PRICES } from '../prices.ts';
import { BATCH_SWAP_BODY, IMAGE_SWAP_BODY, VIDEO_SWAP_BODY } from './bodies.ts';
import type { BodyDeclaration, JsonField, MediaJsonField } from './body.ts';
import { V1_ERROR_STATUS, type V1ErrorCode } from '../wire-codes.ts';
import { V1_EXAMPLES, v1ErrorExample } from './openapi-examples.ts';
import {
  batchAcceptedSchema,
  imageResultSchema,
  jobSchema,
  v1ErrorSchema,
  v1QuoteSchema,
  videoAcceptedSchema,
} from './schemas.ts';
import { TARGET_VIDEO_FORMATS } from './values.ts';
import { webhookEventSchema } from './webhook-schemas.ts';

const { photo, batchOutput, videoSecond, videoMinimum, factor4k } = DEFAULT_PRICES;
/** All error codes of v1. */
const V1_CODES = Object.keys(V1_ERROR_STATUS) as V1ErrorCode[];

/** Error codes that only image swaps return. */
const IMAGE_CODES = ['NO_FACE_DETECTED', 'FACE_INDEX_OUT_OF_RANGE', 'MODERATION_REFUSED'] as const;
/** Error codes that only video swaps return. */
const VIDEO_CODES = ['VIDEO_TOO_LARGE', 'VIDEO_TOO_LONG', 'RESOLUTION_TOO_HIGH'] as const;
/** Error codes that only batches return. */
const BATCH_CODES = ['BATCH_TOO_LARGE', 'CONCURRENT_BATCH_LIMIT'] as const;
/** Error codes that only requests about an existing job return. */
const JOB_CODES = ['JOB_NOT_FOUND', 'JOB_FINISHED'] as const;

function codesWithout(...excluded: (readonly V1ErrorCode[])[]): V1ErrorCode[] {
  return V1_CODES.filter((code) => !excluded.flat().includes(code));
}

/** OpenAPI 3.1 description of `/v1`, made from the same declarations that the service enforces. */
export const V1_DESCRIPTION = {
  openapi: '3.1.0',
  info: {
    title: 'Face Swap v1 JSON Interface',
    version: 'v1',
    description:
      'Swaps a face from a source image into target media. An image swap answers with its result. A video or batch swap ' +
      'creates a job: poll its status endpoint, or send a webhook_url. Poll first after 2 seconds, then at growing ' +
      'intervals of up to 30 seconds. Output links expire after 24 hours.',
  },
  security: [{ apiKey: [] }],
  paths: {
    [IMAGE_SWAP_BODY.path]: {
      post: post({
        operationId: 'swapImage',
        summary: `Swap a face in an image (${photo} credits by default, ${factor4k} times that in 4k)`,
        body: IMAGE_SWAP_BODY,
        answers: {
          200: answer(
            'The result, or a quote.',
            { anyOf: [ref('ImageResult'), ref('Quote')] },
            {
              result: V1_EXAMPLES.image,
              dryRun: V1_EXAMPLES.quote,
            },
          ),
        },
        errors: codesWithout(VIDEO_CODES, BATCH_CODES, JOB_CODES, ['INVALID_WEBHOOK_URL']),
      }),
    },
    [VIDEO_SWAP_BODY.path]: {
      post: post({
        operationId: 'swapVideo',
        summary: `Swap the face of a video's main person (${videoSecond} credits per started second, at least ${videoMinimum}, by default)`,
        body: VIDEO_SWAP_BODY,
        answers: jobAnswers('VideoAccepted', V1_EXAMPLES.videoAccepted),
        errors: codesWithout(IMAGE_CODES, BATCH_CODES, JOB_CODES),
      }),
    },
    [BATCH_SWAP_BODY.path]: {
      post: post({
        operationId: 'swapBatch',
        summary: `Swap one face into many images (${batchOutput} credits per output by default)`,
        body: BATCH_SWAP_BODY,
        answers: jobAnswers('BatchAccepted', V1_EXAMPLES.batchAccepted),
        errors: codesWithout(IMAGE_CODES, VIDEO_CODES, JOB_CODES),
      }),
    },
    '/v1/status/{job_id}': {
      get: onJob({
        operationId: 'readJob',
        summary: 'Read a video or batch job',
        examples: V1_EXAMPLES.jobs,
        errors: [],
      }),
      delete: onJob({
        operationId: 'cancelJob',
        summary: 'Cancel a job and release the credits of undelivered outputs',
        examples: { cancelled: V1_EXAMPLES.jobs.batchFailed },
        errors: ['JOB_FINISHED'],
      }),
    },
    '/v1/openapi.json': { get: READ_DESCRIPTION },
  },
  webhooks: {
    completion: {
      post: {
        summary: 'A job has ended (Standard Webhooks headers; any 2xx within 15 seconds is success)',
        security: [],
        parameters: [
          webhookHeader('webhook-id', 'Id of the event, the same at every attempt.'),
          webhookHeader('webhook-timestamp', 'Time of the attempt, Unix seconds.'),
          webhookHeader(
            'webhook-signature',
            '"v1," and the base64 HMAC-SHA256 of "<id>.<timestamp>.<body>"; two with a space between them for 24 hours after the secret was changed.',
          ),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: ref('WebhookEvent'), examples: named(V1_EXAMPLES.events) },
          },
        },
        responses: {
          '2XX': { description: 'Received.' },
          410: { description: 'The receiver no longer needs this event; it is not sent again.' },
        },
      },
    },
  },
  components: {
    securitySchemes: SECURITY_SCHEMES,
    schemas: {
      ImageResult: imageResultSchema,
      VideoAccepted: videoAcceptedSchema,
      BatchAccepted: batchAcceptedSchema,
      Job: jobSchema,
      Quote: v1QuoteSchema,
      WebhookEvent: webhookEventSchema,
      Error: v1ErrorSchema,
    },
    headers: {
      'X-Request-Id': {
        description: 'Names this request in the logs.',
        schema: { type: 'string', format: 'uuid' },
      },
      'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
    },
  },
};

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function headers(names: string[] = []) {
  return Object.fromEntries(
    ['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function answer(description: string, schema: unknown, examples: Record<string, unknown>) {
  return {
    description,
    headers: headers(),
    content: { 'application/json': { schema, examples: named(examples) } },
  };
}

function named(examples: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

function webhookHeader(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}

function jobAnswers(schema: string, accepted: unknown) {
  return {
    200: answer('A quote.', ref('Quote'), { dryRun: V1_EXAMPLES.quote }),
    202: answer('Accepted; read it at the status endpoint.', ref(schema), { accepted }),
  };
}

/** Describes the error answers by HTTP status, with an example for each code. */
function errorAnswers(codes: readonly V1ErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => V1_ERROR_STATUS[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => V1_ERROR_STATUS[code] === status);
      const examples = Object.fromEntries(ofStatus.map((code) => [code, { value: v1ErrorExample(code) }]));
      return [
        status,
        {
          description: ofStatus.join(', '),
          headers: headers(status === 429 ? ['Retry-After'] : []),
          content: { 'application/json': { schema: ref('Error'), examples } },
        },
      ];
    }),
  );
}

interface PostDescription {
  operationId: string;
  summary: string;
  body: BodyDeclaration;
  answers: object;
  errors: readonly V1ErrorCode[];
}

function post({ operationId, summary, body, answers, errors }: PostDescription) {
  return {
    operationId,
    summary,
    description: `The body has at most ${body.maxBodyBytes} bytes.`,
    parameters: POST_PARAMETERS,
    requestBody: { required: true, content: { 'application/json': { schema: bodySchema(body) } } },
    responses: { ...answers, ...errorAnswers(errors) },
  };
}

interface JobDescription {
  operationId: string;
  summary: string;
  examples: Record<string, unknown>;
  errors: readonly V1ErrorCode[];
}

function onJob({ operationId, summary, examples, errors }: JobDescription) {
  return {
    operationId,
    summary,
    parameters: [
      {
        name: 'job_id',
        in: 'path',
        required: true,
        description: 'The job_id that video-swap or batch-swap returned.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: answer('The current state of the job.', ref('Job'), examples),
      ...errorAnswers([
        'INVALID_REQUEST',
        'INVALID_API_KEY',
        'IP_NOT_ALLOWED',
        'JOB_NOT_FOUND',
        'RATE_LIMITED',
        'INTERNAL_ERROR',
        'BUSY',
        ...errors,
      ]),
    },
  };
}

function bodySchema({ fields }: BodyDeclaration) {
  const unless = fields.find((field) => 'unless' in field) as MediaJsonField | undefined;
  return {
    type: 'object',
    additionalProperties: false,
    required: fields
      .filter((field) => ['image', 'video', 'images'].includes(field.kind) && !('optional' in field))
      .map(({ name }) => name),
    ...(unless && { anyOf: [{ required: [unless.name] }, { required: [unless.unless] }] }),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  };
}

/**
 * Describes a nested object. @param required whether all its fields are required, or only its media
 */
function objectSchema(fields: readonly JsonField[], required: 'all' | 'media'): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: fields
      .filter((field) => required === 'all' || (field.kind === 'image' && !field.optional))
      .map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  };
}

function fieldSchema(field: JsonField): object {
  const { description } = field;
  const { imageBytes, videoBytes, videoSeconds, videoLongSide, videoShortSide, framesPerSecond } = V1_LIMITS;
  const given = 'Base64, a data: URI, or an http(s) URL';
  const still = `${given}; JPEG, PNG, WebP, GIF, BMP, HEIC/HEIF or AVIF of at most ${imageBytes} bytes and ${AI_TASKS_LIMITS.imagePixels} pixels.`;
  switch (field.kind) {
    case 'image':
      return { type: 'string', description: `${description} ${still}` };
    case 'images':
      return {
        type: 'array',
        minItems: 1,
        maxItems: V1_LIMITS.batchImages,
        items: { type: 'string', description: still },
        description,
      };
    case 'video':
      return {
        type: 'string',
        description: `${description} ${given}; ${clipFormatList(TARGET_VIDEO_FORMATS)} of at most ${videoBytes} bytes, ${videoSeconds} seconds, ${videoLongSide} x ${videoShortSide} pixels and ${framesPerSecond} frames per second.`,
      };
    case 'choice':
      return { type: 'string', enum: field.values, default: field.default, description };
    case 'engine':
      return { type: 'string', pattern: ENGINE_ID.source, description };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: field.maxLength, description };
    case 'saved-face':
      return { type: 'string', format: 'uuid', description };
    case 'index':
      return { type: 'integer', minimum: 0, description };
    case 'number':
      return { type: 'number', minimum: 0, description };
    case 'object':
      return { ...objectSchema(field.fields, 'all'), description };
    case 'objects':
      return {
        type: 'array',
        minItems: 1,
        maxItems: field.maxItems,
        items: objectSchema(field.fields, 'media'),
        description,
      };
    case 'switch':
      return { type: 'boolean', default: field.default, description };
    case 'webhook':
      return { type: 'string', format: 'uri', maxLength: V1_LIMITS.urlLength, description };
  }
}

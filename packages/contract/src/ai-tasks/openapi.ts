import { type TSchema, Type } from 'typebox';
import { AI_TASKS_LIMITS } from '../limits.ts';
import { READ_RATE_FACTOR } from '../plans.ts';
import { DEFAULT_PRICES } from '../prices.ts';
import { API_VERSION } from './api-version.ts';
import { formatList, type FormDeclaration, type FormField } from './form.ts';
import { DETECT_FORM, PHOTO_FORM } from './forms.ts';
import { EXAMPLES } from './openapi-examples.ts';
import {
  detectFacesSchema,
  errorBodySchema,
  quoteSchema,
  resultSchemas,
  taskAcceptedSchema,
  taskSchema,
} from './schemas.ts';

const ERROR_CONDITIONS: Record<number, string> = {
  400: 'A field, file type, size, query parameter, header or taskId is invalid.',
  401: 'The Bearer API key is missing or invalid.',
  402: 'The account has too few credits for the task: required, available.',
  403: "The account's email address is not verified.",
  404: 'No such task of this account and workflow.',
  409: 'The Idempotency-Key was used for another request, or the task can no longer be cancelled.',
  429: 'Too many requests in the 60-second window: limit, resetSeconds.',
  500: 'Server error.',
  503: 'Too busy to answer in time, or shutting down.',
};

/** The OpenAPI 3.1 description of `/api/ai-tasks`: made of the same declarations that the service obeys. */
export const API_DESCRIPTION = {
  openapi: '3.1.0',
  info: {
    title: 'Face Swap Task API',
    version: API_VERSION,
    description:
      'Replaces a face in a photo by the face of a reference image. A POST creates a task; GET on the same path reads ' +
      'it until its status is COMPLETED, FAILED or CANCELLED. Polling is the only completion mechanism.',
  },
  security: [{ apiKey: [] }],
  paths: {
    [PHOTO_FORM.path]: {
      post: post({
        operationId: 'createPhotoTask',
        summary: `Swap a face in a photo (${DEFAULT_PRICES.photo} credits by default)`,
        form: PHOTO_FORM,
        answers: [ref('TaskAccepted'), ref('Quote')],
        examples: { accepted: EXAMPLES.accepted, dryRun: EXAMPLES.quote },
        errors: [400, 401, 402, 403, 409, 429, 500, 503],
      }),
      get: onTask(
        'readPhotoTask',
        'Read a photo task',
        {
          pending: EXAMPLES.pending,
          completed: EXAMPLES.completed,
          failed: EXAMPLES.failed,
        },
        [400, 401, 404, 429, 500],
      ),
      delete: onTask(
        'cancelPhotoTask',
        'Cancel a photo task; its credits are released',
        {
          cancelled: EXAMPLES.cancelled,
        },
        [400, 401, 404, 409, 429, 500],
      ),
    },
    [DETECT_FORM.path]: {
      post: post({
        operationId: 'detectFaces',
        summary: 'Find the faces of an image (no credits)',
        form: DETECT_FORM,
        answers: [ref('DetectedFaces'), ref('Quote')],
        examples: { faces: EXAMPLES.faces },
        errors: [400, 401, 403, 409, 429, 500, 503],
      }),
    },
    '/api/ai-tasks/openapi.json': {
      get: {
        operationId: 'readDescription',
        summary: 'This description',
        security: [],
        responses: { 200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: {} } } } },
      },
    },
  },
  components: {
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (gsk_...), once per request.' },
    },
    schemas: {
      TaskAccepted: taskAcceptedSchema,
      Task: taskWithResult(),
      Quote: quoteSchema,
      DetectedFaces: detectFacesSchema,
      Error: errorBodySchema,
    },
    headers: {
      'X-Request-Id': {
        description: 'Names this request in the logs.',
        schema: { type: 'string', format: 'uuid' },
      },
      'Api-Version': { description: 'The version that answered.', schema: { const: API_VERSION } },
      'Retry-After': { description: 'Seconds until the rate window ends.', schema: { type: 'integer' } },
      RateLimit: { description: 'draft-ietf-httpapi-ratelimit-headers-10.', schema: { type: 'string' } },
      'RateLimit-Policy': {
        description: 'draft-ietf-httpapi-ratelimit-headers-10.',
        schema: { type: 'string' },
      },
    },
  },
};

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function taskWithResult(): TSchema {
  const { processing, completed, failed } = resultSchemas;
  const result = Type.Union([Type.Null(), processing, completed, failed]);
  return Type.Object({ ...taskSchema.properties, result }, { additionalProperties: false });
}

function commonHeaders(names: string[] = []) {
  const all = ['X-Request-Id', 'Api-Version', 'RateLimit', 'RateLimit-Policy', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

type ErrorStatus = keyof typeof EXAMPLES.errors;

function errorAnswers(statuses: readonly ErrorStatus[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: ERROR_CONDITIONS[status],
        headers: commonHeaders(status === 429 ? ['Retry-After'] : []),
        content: { 'application/json': { schema: ref('Error'), example: EXAMPLES.errors[status] } },
      },
    ]),
  );
}

function answer(schema: unknown, examples: Record<string, unknown>) {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    description: 'OK',
    headers: commonHeaders(),
    content: { 'application/json': { schema, examples: Object.fromEntries(named) } },
  };
}

interface PostDescription {
  operationId: string;
  summary: string;
  form: FormDeclaration;
  answers: { $ref: string }[];
  examples: Record<string, unknown>;
  errors: ErrorStatus[];
}

function post({ operationId, summary, form, answers, examples, errors }: PostDescription) {
  return {
    operationId,
    summary,
    parameters: [
      {
        name: 'dryRun',
        in: 'query',
        description: 'Validates everything, creates nothing and answers a quote.',
        schema: { const: 'true' },
      },
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'For 24 hours the same request with the same key gets the first answer again.',
        schema: { type: 'string', minLength: 1, maxLength: AI_TASKS_LIMITS.idempotencyKeyLength },
      },
      versionParameter(),
    ],
    requestBody: { required: true, content: { 'multipart/form-data': { schema: formSchema(form) } } },
    responses: { 200: answer({ anyOf: answers }, examples), ...errorAnswers(errors) },
  };
}

function onTask(
  operationId: string,
  summary: string,
  examples: Record<string, unknown>,
  errors: ErrorStatus[],
) {
  return {
    operationId,
    summary,
    description: `Up to ${READ_RATE_FACTOR} times the plan's requests per minute.`,
    parameters: [
      {
        name: 'taskId',
        in: 'query',
        required: true,
        description: 'The value that the matching POST answered.',
        schema: { type: 'string', format: 'uuid' },
      },
      versionParameter(),
    ],
    responses: { 200: answer(ref('Task'), examples), ...errorAnswers(errors) },
  };
}

function versionParameter() {
  return { name: 'Api-Version', in: 'header', description: 'Optional.', schema: { const: API_VERSION } };
}

function formSchema({ fields }: FormDeclaration) {
  return {
    type: 'object',
    additionalProperties: false,
    required: fields.filter((field) => field.kind === 'file').map((field) => field.name),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  };
}

function fieldSchema(field: FormField) {
  if (field.kind === 'number') {
    const { description, min, max } = field;
    return { type: 'number', minimum: min, maximum: max, default: field.default, description };
  }
  return {
    type: 'string',
    format: 'binary',
    maxLength: field.maxBytes,
    description: `${field.description} ${formatList(field.formats)}, by content; at most ${field.maxBytes} bytes and ${AI_TASKS_LIMITS.imagePixels} pixels.`,
  };
}

import { type TSchema, Type } from 'typebox';
import { AI_TASKS_LIMITS, PUBLIC_VERIFY_LIMITS } from '../limits.ts';
import { POST_PARAMETERS, READ_DESCRIPTION, SECURITY_SCHEMES } from '../openapi-parts.ts';
import { READ_RATE_FACTOR } from '../plans.ts';
import { DEFAULT_PRICES } from '../prices.ts';
import { TASK_STATUSES, TASK_TYPES } from '../task.ts';
import { API_VERSION } from './api-version.ts';
import {
  clipFormatList,
  formatList,
  type FormDeclaration,
  type FormField,
  mediaFormatList,
  type UploadField,
} from './form.ts';
import {
  BATCH_FORM,
  DETECT_FORM,
  FACE_FORM,
  GIF_FORM,
  GROUP_FORM,
  PHOTO_FORM,
  PUBLIC_VERIFY_FORM,
  VERIFY_FORM,
  VIDEO_FORM,
} from './forms.ts';
import { GIF_EXAMPLES, PERSONS_EXAMPLE, VIDEO_EXAMPLES } from './openapi-examples-of-clips.ts';
import { BATCH_EXAMPLES, GROUP_EXAMPLES } from './openapi-examples-of-many.ts';
import { PUBLIC_VERIFY_ERRORS, VERIFY_EXAMPLES } from './openapi-examples-of-verify.ts';
import { FACE_EXAMPLES } from './openapi-examples-of-faces.ts';
import { EXAMPLES } from './openapi-examples.ts';
import { deletedFaceSchema, faceListSchema, savedFaceSchema, withdrawalSchema } from './face-schemas.ts';
import {
  deletedFilesSchema,
  detectFacesSchema,
  detectPersonsSchema,
  errorBodySchema,
  faceBoxSchema,
  personBoxSchema,
  quoteSchema,
  resultSchemas,
  taskAcceptedSchema,
  enginesSchema,
  taskListSchema,
  taskSchema,
} from './schemas.ts';
import { ENGINE_ID, MESH_ENGINE } from '../engines.ts';
import { verificationSchema } from './verification.ts';
import { closedObject } from '../schema-parts.ts';

/** Conditions for each error status, as sentences of the description. */
const ERROR_CONDITIONS: Record<number, string> = {
  400: 'A field, file type, size, query parameter, header or taskId is invalid.',
  401: 'The Bearer API key is missing or invalid, or the account allows other addresses only.',
  402: 'The account has too few credits. The body says how many are required and how many are available.',
  403: "The account's email address is not verified.",
  404: 'The account has no such task in this workflow.',
  409: 'The Idempotency-Key was used for a different request (POST), or the task has already ended (DELETE), or has not ended (DELETE with files=true).',
  429: 'The account has too many requests in 60 seconds, uploads at once, waiting tasks, or bytes of stored results. The body has limit and resetSeconds.',
  500: 'Server error.',
  503: 'The service is too busy to answer in time, has no free disk space, cannot reach its database, or is shutting down.',
};

/** Describes the list of an account's tasks. */
const LIST_OPERATION = {
  operationId: 'listTasks',
  summary: 'List tasks, newest first',
  description: 'The list has no links to outputs; GET of a task returns them. The request counts as a read.',
  parameters: [
    queryParameter('limit', 'The largest number of tasks on a page.', {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 25,
    }),
    queryParameter('cursor', 'The nextCursor of the previous page.', { type: 'string', format: 'uuid' }),
    queryParameter('status', 'Only tasks with this status.', { enum: TASK_STATUSES }),
    queryParameter('taskType', 'Only tasks of this type.', { enum: TASK_TYPES }),
    versionParameter(),
  ],
  responses: {
    200: answer(ref('TaskList'), { empty: { tasks: [], nextCursor: null } }),
    ...errorAnswers([400, 401, 429, 500, 503]),
  },
};

/** Describes the list of engines. */
const ENGINES_OPERATION = {
  operationId: 'listEngines',
  summary: 'List the engines that draw faces',
  description: 'Every workflow takes an id of this list as engine. The request counts as a read.',
  parameters: [versionParameter()],
  responses: {
    200: answer(ref('Engines'), { mesh: { default: MESH_ENGINE.id, engines: [MESH_ENGINE] } }),
    ...errorAnswers([400, 401, 429, 500, 503]),
  },
};

/** Describes the event stream of an account's tasks. */
const EVENTS_OPERATION = {
  operationId: 'followTasks',
  summary: 'Follow tasks as they change (server-sent events)',
  description:
    'Sends an event named task whenever the status or the progress of a task changes, at most 4 times a second per task. Its data is the same as the answer of GET. ' +
    'The stream begins with all unfinished tasks. If Last-Event-ID is at most 5 minutes old, it begins with the changes since then. ' +
    'A comment is sent every 15 seconds. The stream ends when the key is revoked, when the account is suspended, and when the service stops. ' +
    'An account can have 10 streams open (429); each counts once, as a read.',
  parameters: [
    queryParameter('taskId', 'Follow only this task.', { type: 'string', format: 'uuid' }),
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The id of the last event that the client received.',
      schema: { type: 'string' },
    },
    versionParameter(),
  ],
  responses: {
    200: {
      description: 'OK',
      headers: commonHeaders(),
      content: {
        'text/event-stream': {
          schema: { type: 'string' },
          example: `id: 1787000000000\nevent: task\ndata: ${JSON.stringify(EXAMPLES.pending)}\n\n`,
        },
      },
    },
    ...errorAnswers([400, 401, 404, 429, 500, 503]),
  },
};

/** Describes how a face is saved. */
const SAVE_FACE_OPERATION = post({
  operationId: 'saveFace',
  summary: 'Save a face, to use it in any workflow as sourceFaceId (no credits)',
  form: FACE_FORM,
  answers: [ref('Quote')],
  examples: {},
  errors: [400, 401, 403, 409, 429, 500, 503],
});

/** Describes one saved face, for each method of its path. */
function onFace(
  operationId: string,
  summary: string,
  schema: string,
  examples: Record<string, unknown>,
  errors: ErrorStatus[] = [],
) {
  return {
    operationId,
    summary,
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      versionParameter(),
    ],
    responses: {
      200: answer(ref(schema), examples),
      ...errorAnswers([400, 401, 404, 429, 500, 503, ...errors]),
    },
  };
}

/** Examples of a verification's answer. */
const VERIFICATIONS = {
  own: VERIFY_EXAMPLES.own,
  changed: VERIFY_EXAMPLES.changed,
  plain: VERIFY_EXAMPLES.plain,
};

/** Describes the verification for everybody. */
const PUBLIC_VERIFY_OPERATION = {
  operationId: 'verifyFilePublicly',
  summary: 'Say how a file was made, without an account',
  description:
    'The answer is the same as that of POST /api/ai-tasks/verify. GET of this path is a page for browsers. ' +
    'An IPv6 address counts by its /56 network. The file is deleted before the answer.',
  security: [],
  parameters: [versionParameter()],
  requestBody: {
    required: true,
    content: { 'multipart/form-data': { schema: formSchema(PUBLIC_VERIFY_FORM) } },
  },
  responses: {
    200: answer(ref('Verification'), VERIFICATIONS),
    ...errorAnswers([500, 503]),
    400: errorAnswer(400, PUBLIC_VERIFY_ERRORS[400]),
    404: errorAnswer(404, PUBLIC_VERIFY_ERRORS[404], 'The operator has turned this off.'),
    429: errorAnswer(
      429,
      PUBLIC_VERIFY_ERRORS[429],
      `The address has sent ${PUBLIC_VERIFY_LIMITS.perMinute} files in a minute or ${PUBLIC_VERIFY_LIMITS.perHour} in an hour, or too many uploads arrive at once. The body has limit and resetSeconds.`,
    ),
  },
};

/**
 * OpenAPI 3.1 description of `/api/ai-tasks`, made from the same declarations that the service
 * enforces.
 */
export const API_DESCRIPTION = {
  openapi: '3.1.0',
  info: {
    title: 'Face Swap Task API',
    version: API_VERSION,
    description:
      'Replaces faces in photos, videos and GIFs by the faces of reference images. A POST creates a task, which ends as COMPLETED, ' +
      'FAILED or CANCELLED. Poll it by GET on the same path, or follow it through GET /api/ai-tasks/events.',
  },
  security: [{ apiKey: [] }],
  paths: {
    [PHOTO_FORM.path]: workflow({
      name: 'Photo',
      thing: 'photo task',
      summary: `Swap a face in a photo (${DEFAULT_PRICES.photo} credits by default)`,
      form: PHOTO_FORM,
      examples: EXAMPLES,
    }),
    [BATCH_FORM.path]: workflow({
      name: 'Batch',
      thing: 'batch',
      summary: `Swap one face into many photos, or many faces into one (${DEFAULT_PRICES.batchOutput} credits per output by default)`,
      form: BATCH_FORM,
      examples: BATCH_EXAMPLES,
    }),
    [GROUP_FORM.path]: workflow({
      name: 'Group',
      thing: 'group photo task',
      summary: `Swap several faces of a group photo (${DEFAULT_PRICES.groupFace} credits per replacement face by default)`,
      form: GROUP_FORM,
      examples: GROUP_EXAMPLES,
    }),
    [VIDEO_FORM.path]: workflow({
      name: 'Video',
      thing: 'video task',
      summary: `Swap the face of a video's main person (${DEFAULT_PRICES.videoSecond} credits per started second, at least ${DEFAULT_PRICES.videoMinimum}, by default)`,
      form: VIDEO_FORM,
      examples: VIDEO_EXAMPLES,
    }),
    [GIF_FORM.path]: workflow({
      name: 'Gif',
      thing: 'GIF task',
      summary: `Swap the face of a GIF's main person (${DEFAULT_PRICES.gifSecond} credits per started second, at least ${DEFAULT_PRICES.gifMinimum}, by default)`,
      form: GIF_FORM,
      examples: GIF_EXAMPLES,
    }),
    [DETECT_FORM.path]: {
      post: post({
        operationId: 'detectFaces',
        summary: 'Find the faces of an image, or the people of a video or GIF (no credits)',
        form: DETECT_FORM,
        answers: [ref('DetectedFaces'), ref('DetectedPersons'), ref('Quote')],
        examples: { faces: EXAMPLES.faces, persons: PERSONS_EXAMPLE },
        errors: [400, 401, 403, 409, 429, 500, 503],
      }),
    },
    [VERIFY_FORM.path]: {
      post: post({
        operationId: 'verifyFile',
        summary: 'Say how a file was made: its content credentials (C2PA) and its XMP mark (no credits)',
        form: VERIFY_FORM,
        answers: [ref('Verification'), ref('Quote')],
        examples: VERIFICATIONS,
        errors: [400, 401, 403, 409, 429, 500, 503],
      }),
    },
    [PUBLIC_VERIFY_FORM.path]: { post: PUBLIC_VERIFY_OPERATION },
    [FACE_FORM.path]: {
      post: {
        ...SAVE_FACE_OPERATION,
        responses: {
          ...SAVE_FACE_OPERATION.responses,
          201: { ...answer(ref('SavedFace'), { saved: FACE_EXAMPLES.saved }), description: 'Saved.' },
        },
      },
      get: {
        operationId: 'listFaces',
        summary: 'List the saved faces, newest first',
        description: 'The request counts as a read.',
        parameters: [versionParameter()],
        responses: {
          200: answer(ref('FaceList'), { one: { faces: [FACE_EXAMPLES.saved] } }),
          ...errorAnswers([400, 401, 429, 500, 503]),
        },
      },
    },
    [`${FACE_FORM.path}/{id}`]: {
      get: onFace('readFace', 'Read a saved face', 'SavedFace', { saved: FACE_EXAMPLES.saved }),
      delete: onFace('deleteFace', 'Delete a saved face with its photos', 'DeletedFace', {
        deleted: FACE_EXAMPLES.deleted,
      }),
    },
    [`${FACE_FORM.path}/{id}/withdraw`]: {
      post: onFace(
        'withdrawFace',
        'Withdraw the consent to use a face: unfinished tasks with it fail, their files and results are deleted, and it cannot be used any more',
        'Withdrawal',
        { withdrawal: FACE_EXAMPLES.withdrawal },
        [403],
      ),
    },
    '/api/ai-tasks/list': { get: LIST_OPERATION },
    '/api/ai-tasks/engines': { get: ENGINES_OPERATION },
    '/api/ai-tasks/events': { get: EVENTS_OPERATION },
    '/api/ai-tasks/openapi.json': { get: READ_DESCRIPTION },
  },
  components: {
    securitySchemes: SECURITY_SCHEMES,
    schemas: {
      TaskAccepted: taskAcceptedSchema,
      Task: taskWithResult(),
      Quote: quoteSchema,
      TaskList: taskListSchema,
      Engines: enginesSchema,
      DeletedFiles: deletedFilesSchema,
      SavedFace: savedFaceSchema,
      FaceList: faceListSchema,
      DeletedFace: deletedFaceSchema,
      Withdrawal: withdrawalSchema,
      DetectedFaces: detectFacesSchema,
      DetectedPersons: detectPersonsSchema,
      Verification: verificationSchema,
      FaceBox: faceBoxSchema,
      PersonBox: personBoxSchema,
      Error: errorBodySchema,
    },
    headers: {
      'X-Request-Id': {
        description: 'The id of this request in the logs.',
        schema: { type: 'string', format: 'uuid' },
      },
      'Api-Version': { description: 'The version of the interface.', schema: { const: API_VERSION } },
      'Retry-After': {
        description: 'Seconds after which the request can be sent again.',
        schema: { type: 'integer' },
      },
      RateLimit: { description: 'draft-ietf-httpapi-ratelimit-headers-10.', schema: { type: 'string' } },
      'RateLimit-Policy': {
        description: 'draft-ietf-httpapi-ratelimit-headers-10.',
        schema: { type: 'string' },
      },
    },
  },
};

function queryParameter(name: string, description: string, schema: object) {
  return { name, in: 'query', description, schema };
}

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function taskWithResult(): TSchema {
  const { processing, completed, failed } = resultSchemas;
  const result = Type.Union([Type.Null(), processing, completed, failed]);
  return closedObject({ ...taskSchema.properties, result });
}

function commonHeaders(names: string[] = []) {
  const all = ['X-Request-Id', 'Api-Version', 'RateLimit', 'RateLimit-Policy', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

type ErrorStatus = keyof typeof EXAMPLES.errors;

function errorAnswers(statuses: readonly ErrorStatus[]) {
  return Object.fromEntries(statuses.map((status) => [status, errorAnswer(status, EXAMPLES.errors[status])]));
}

function errorAnswer(status: ErrorStatus, example: unknown, description = ERROR_CONDITIONS[status]) {
  return {
    description,
    headers: commonHeaders(status === 429 ? ['Retry-After'] : []),
    content: { 'application/json': { schema: ref('Error'), example } },
  };
}

function answer(schema: unknown, examples: Record<string, unknown>) {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    description: 'OK',
    headers: commonHeaders(),
    content: { 'application/json': { schema, examples: Object.fromEntries(named) } },
  };
}

interface WorkflowDescription {
  /** Name in operation ids. */
  name: string;
  /** Name in sentences. */
  thing: string;
  summary: string;
  form: FormDeclaration;
  /** `accepted` and `quote` are for POST, all others for GET; `cancelled` is also for DELETE. */
  examples: WorkflowExamples;
}

interface WorkflowExamples {
  accepted: unknown;
  quote: unknown;
  pending: unknown;
  processing?: unknown;
  completed: unknown;
  failed: unknown;
  cancelled: unknown;
}

/** Describes POST, GET and DELETE of a workflow. */
function workflow({ name, thing, summary, form, examples }: WorkflowDescription) {
  const { accepted, quote, pending, processing, completed, failed, cancelled } = examples;
  return {
    post: post({
      operationId: `create${name}Task`,
      summary,
      form,
      answers: [ref('TaskAccepted'), ref('Quote')],
      examples: { accepted, dryRun: quote },
      errors: [400, 401, 402, 403, 409, 429, 500, 503],
    }),
    get: onTask(
      `read${name}Task`,
      `Read a ${thing}`,
      { pending, ...(processing === undefined ? {} : { processing }), completed, failed },
      [400, 401, 404, 429, 500, 503],
    ),
    delete: deletion(name, thing, cancelled),
  };
}

interface PostDescription {
  operationId: string;
  summary: string;
  form: FormDeclaration<FormField>;
  answers: { $ref: string }[];
  examples: Record<string, unknown>;
  errors: ErrorStatus[];
}

function post({ operationId, summary, form, answers, examples, errors }: PostDescription) {
  return {
    operationId,
    summary,
    parameters: [...POST_PARAMETERS, versionParameter()],
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
        description: 'The taskId that the matching POST returned.',
        schema: { type: 'string', format: 'uuid' },
      },
      versionParameter(),
    ],
    responses: { 200: answer(ref('Task'), examples), ...errorAnswers(errors) },
  };
}

/**
 * Describes DELETE, which cancels a task, or with `files=true` deletes the files of a finished
 * task.
 */
function deletion(name: string, thing: string, cancelled: unknown) {
  const operation = onTask(
    `cancel${name}Task`,
    `Cancel a ${thing} and release the credits of undelivered outputs`,
    { cancelled },
    [400, 401, 404, 409, 429, 500, 503],
  );
  const files = queryParameter(
    'files',
    'If true, the outputs of a finished task are deleted, and their links answer 410. For an unfinished task the answer is 409.',
    { const: 'true' },
  );
  const examples = {
    cancelled,
    filesDeleted: { id: '0199a1b2-0000-4000-8000-000000000000', deletedFiles: 1 },
  };
  return {
    ...operation,
    parameters: [...operation.parameters, files],
    responses: {
      ...operation.responses,
      200: answer({ anyOf: [ref('Task'), ref('DeletedFiles')] }, examples),
    },
  };
}

function versionParameter() {
  return { name: 'Api-Version', in: 'header', description: 'Optional.', schema: { const: API_VERSION } };
}

function formSchema({ fields, maxFiles, maxFilesBytes, maxRequestBytes }: FormDeclaration<FormField>) {
  const limits = [
    maxFiles === undefined ? [] : `At most ${maxFiles} files.`,
    maxFilesBytes === undefined ? [] : `All files together have at most ${maxFilesBytes} bytes.`,
    maxRequestBytes === undefined ? [] : `The whole request has at most ${maxRequestBytes} bytes.`,
  ].flat();
  return {
    type: 'object',
    additionalProperties: false,
    required: fields.filter(isRequired).map((field) => field.name),
    ...oneOfTwo(fields),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(limits.length === 0 ? {} : { description: limits.join(' ') }),
  };
}

/** Describes a field that is required unless another one is sent. A form has at most one. */
function oneOfTwo(fields: readonly FormField[]): object {
  const field = fields.find((each) => 'unless' in each);
  if (field === undefined || !('unless' in field)) return {};
  return { anyOf: [{ required: [field.name] }, { required: [field.unless] }] };
}

function isRequired(field: FormField): boolean {
  switch (field.kind) {
    case 'file':
    case 'clip':
    case 'media':
    case 'face-box':
    case 'person-box':
    case 'text':
      return !field.optional;
    case 'choice':
      return field.default === undefined && !field.optional;
    case 'engine':
    case 'saved-face':
    case 'number':
    case 'guarantee':
    case 'switch':
      return false;
  }
}

function fieldSchema(field: FormField) {
  switch (field.kind) {
    case 'number': {
      const { description, min, max } = field;
      return {
        type: 'number',
        minimum: min,
        ...(max === undefined ? {} : { maximum: max }),
        ...(field.default === undefined ? {} : { default: field.default }),
        description,
      };
    }
    case 'choice': {
      const { description, values } = field;
      const fallback = field.default === undefined ? {} : { default: field.default };
      return { type: 'string', enum: values, ...fallback, description };
    }
    case 'engine':
      return { type: 'string', pattern: ENGINE_ID.source, description: field.description };
    case 'guarantee':
      return { type: 'boolean', const: true, default: true, description: field.description };
    case 'switch':
      return { type: 'boolean', description: field.description };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: field.maxLength, description: field.description };
    case 'saved-face':
      return { type: 'string', format: 'uuid', description: field.description };
    case 'face-box':
      return {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: ref('FaceBox'),
        description: field.description,
      };
    case 'person-box':
      return {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: ref('PersonBox'),
        description: field.description,
      };
    case 'file':
    case 'clip':
    case 'media':
      return fileSchema(field);
  }
}

function fileSchema(field: UploadField) {
  const { description, maxBytes, maxFiles } = field;
  const file = {
    type: 'string',
    format: 'binary',
    maxLength: maxBytes,
    description: `${description} ${fileRules(field)}`,
  };
  return maxFiles === undefined ? file : { type: 'array', minItems: 1, maxItems: maxFiles, items: file };
}

function fileRules(field: UploadField): string {
  const { maxBytes } = field;
  if (field.kind === 'file') {
    const pixels = AI_TASKS_LIMITS.imagePixels;
    return `${formatList(field.formats)}, by content; at most ${maxBytes} bytes and ${pixels} pixels.`;
  }
  if (field.kind === 'media')
    return `${mediaFormatList(field.formats)}, by content; at most ${maxBytes} bytes.`;
  const { framesPerSecond, clipPixels, clipSide } = AI_TASKS_LIMITS;
  return (
    `${clipFormatList(field.formats)}, by content; at most ${maxBytes} bytes, ${field.maxSeconds} seconds, ` +
    `${framesPerSecond} frames per second and ${clipPixels} pixels a frame, ${clipSide} on a side.`
  );
}

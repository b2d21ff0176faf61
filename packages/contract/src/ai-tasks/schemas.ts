import { type Static, Type } from 'typebox';
import { FAILURE_CODES } from '../errors.ts';
import { errorCreditsSchemas, errorFieldSchema } from '../openapi-parts.ts';
import { AI_TASKS_ERROR_CODES } from './errors.ts';
import { VIDEO_QUALITIES } from './forms.ts';
import { TASK_STATUSES, TASK_TYPES } from '../task.ts';
import { FACE_WARNING_CODES } from '../warnings.ts';
import type { Box } from '../work.ts';
import { closedObject, dateTime, orNull, uuid } from '../schema-parts.ts';

/**
 * Schemas of the bodies of `/api/ai-tasks` (docs/spec/ai-tasks#resources-and-their-fields).
 * Presenters set each member explicitly, so that no other data leaks.
 */

const credits = Type.Integer({ minimum: 0 });
const statusSchema = Type.Enum([...TASK_STATUSES], {
  description: 'COMPLETED, FAILED and CANCELLED are final.',
});

export const errorBodySchema = closedObject({
  error: Type.String({ description: 'One plain sentence naming the field and the limit.' }),
  code: Type.Enum([...AI_TASKS_ERROR_CODES]),
  field: errorFieldSchema,
  ...errorCreditsSchemas,
  limit: Type.Optional(
    Type.Integer({
      description:
        'The limit that was exceeded: bytes, seconds, a count, or (429) requests in the window, uploads, waiting tasks or bytes.',
    }),
  ),
  resetSeconds: Type.Optional(
    Type.Integer({ description: 'Seconds after which the request can be sent again (429).' }),
  ),
});

export const taskAcceptedSchema = closedObject({
  taskId: uuid,
  status: statusSchema,
  requiredCredits: Type.Optional(credits),
  estimatedCredits: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Price of a GIF. All other workflows answer requiredCredits.',
    }),
  ),
  quality: Type.Optional(Type.Enum(Object.keys(VIDEO_QUALITIES))),
});
export type TaskAcceptedBody = Static<typeof taskAcceptedSchema>;

export const detectedFaceSchema = closedObject(
  {
    faceIndex: Type.Integer({
      minimum: 0,
      description: 'Counted from left to right by box centre; at equal centres, from top to bottom.',
    }),
    x: Type.Number({
      description:
        "The box's left edge in pixels of the upright image. A box never reaches beyond the image.",
    }),
    y: Type.Number({ description: "The box's top edge in pixels of the upright image." }),
    width: Type.Number(),
    height: Type.Number(),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    yaw: Type.Number({ description: "Degrees; above 0: turned to the image's right." }),
    pitch: Type.Number({ description: 'Degrees; above 0: looking down.' }),
    roll: Type.Number({ description: 'Degrees; above 0: clockwise.' }),
  },
  { title: 'DetectedFace' },
);
export type DetectedFaceBody = Static<typeof detectedFaceSchema>;

const roleSchema = Type.Enum(['source', 'target'], {
  description: "Role of the face in a swap: the source's face is used, the target's face is replaced.",
});

/** Schema of a small picture in an answer: a WebP as a data URL. */
const previewSchema = (description: string) =>
  Type.Optional(Type.String({ pattern: '^data:image/webp;base64,', description }));

export const detectFacesSchema = closedObject({
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  faces: Type.Array(detectedFaceSchema),
  preview: previewSchema('The upright image, at most 960 pixels wide and high; only if `preview` was sent.'),
  warnings: Type.Optional(
    Type.Array(
      closedObject({
        faceIndex: Type.Integer({ minimum: 0 }),
        code: Type.Enum([...FACE_WARNING_CODES]),
        role: roleSchema,
        message: Type.String({
          description: 'One sentence that says what is wrong with the face and what to do.',
        }),
      }),
      {
        description:
          'Warnings about each face, at most one as a source and one as a target. Left out if there are none.',
      },
    ),
  ),
});
export type DetectFacesBody = Static<typeof detectFacesSchema>;

export const detectPersonsSchema = closedObject({
  durationSeconds: Type.Number({ minimum: 0 }),
  width: Type.Integer({ minimum: 1, description: 'Width of the upright picture.' }),
  height: Type.Integer({ minimum: 1 }),
  framesLooked: Type.Integer({
    minimum: 0,
    description: 'Number of pictures that were searched, spread over the clip.',
  }),
  complete: Type.Boolean({
    description:
      'False if the search ended after 20 seconds; the list then has only the people found so far.',
  }),
  preview: previewSchema(
    'The clip at the best moment of person 0, at most 960 pixels wide and high; only if `preview` was sent. May be missing if `complete` is false.',
  ),
  persons: Type.Array(
    closedObject(
      {
        personIndex: Type.Integer({
          minimum: 0,
          description:
            'People are numbered by the area of the face times the time on camera, largest first: 0 is the person whom a swap without a mapping replaces. The number is the same for the same ' +
            'file within a version of the engine.',
        }),
        share: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'Share of the searched pictures that show the person.',
        }),
        appearances: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
          description:
            'Start and end of each appearance, in seconds. Each can be wrong by up to the time between two searched pictures.',
        }),
        atSeconds: Type.Number({ minimum: 0, description: 'Moment that shows the person best.' }),
        faceBox: Type.Object(
          { x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() },
          {
            additionalProperties: false,
            description: 'The face at that moment, in pixels of the upright picture.',
          },
        ),
        preview: previewSchema(
          'The face at that moment, 128 x 128 pixels; only if `preview` was sent. May be missing if `complete` is false.',
        ),
        warnings: Type.Array(
          closedObject({
            code: Type.Enum([...FACE_WARNING_CODES]),
            role: roleSchema,
            message: Type.String(),
          }),
          { description: 'Warnings about the face of this person as a target, at most one.' },
        ),
      },
      { title: 'DetectedPerson' },
    ),
  ),
});
export type DetectPersonsBody = Static<typeof detectPersonsSchema>;

/**
 * Schema of a member of the detect-faces answer that a mapping may contain. Its value is ignored.
 */
const ignored = Type.Optional(Type.Number({ description: 'Ignored.' }));

/** Sides of a box that a client sends. */
const boxSides = {
  x: Type.Number({ minimum: 0, description: "The box's left edge." }),
  y: Type.Number({ minimum: 0, description: "The box's top edge." }),
  width: Type.Number({ exclusiveMinimum: 0 }),
  height: Type.Number({ exclusiveMinimum: 0 }),
};

/** Schema of a face box (docs/spec/details#facebox). */
export const faceBoxSchema = Type.Object(
  {
    faceIndex: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'If given, the box must match the face to which detect-faces gives this number.',
      }),
    ),
    ...boxSides,
    score: ignored,
    yaw: ignored,
    pitch: ignored,
    roll: ignored,
  },
  {
    additionalProperties: false,
    description:
      'The box is in pixels of the upright image, from the top left. If all four numbers are at most 1, they are fractions ' +
      "of the image's width and height. The box must lie inside the image. It selects the detected face that it overlaps " +
      'most: their intersection over union must be at least 0.3, or the centre of the box must lie in the box of the ' +
      'face. A face of the answer of detect-faces can be sent as it is.',
  },
);
export type FaceBoxBody = Pick<Static<typeof faceBoxSchema>, 'faceIndex' | 'x' | 'y' | 'width' | 'height'>;

/** Schema of the person of a video or GIF whose face a `targetFaceN` replaces. */
export const personBoxSchema = Type.Union(
  [
    closedObject(
      {
        personIndex: Type.Integer({
          minimum: 0,
          description: 'Number of the person in the answer of detect-faces.',
        }),
      },
      { title: 'PersonNumber' },
    ),
    closedObject(
      {
        atSeconds: Type.Number({ minimum: 0, description: 'A moment at which the face is visible.' }),
        ...boxSides,
      },
      { title: 'FaceAtMoment' },
    ),
  ],
  {
    description:
      'A person as detect-faces numbers them, or the face inside a box at a moment. The box is in pixels of the ' +
      "upright picture, from the top left. If all four numbers are at most 1, they are fractions of the picture's width " +
      'and height. A box at a moment means the same face after an upgrade of the engine, too.',
  },
);
export type PersonBoxBody = { readonly personIndex: number } | (Box & { readonly atSeconds: number });

/** Codes of the warnings that a quote can contain. */
const WARNING_CODES = [
  'NO_FACE',
  'SEVERAL_FACES',
  ...FACE_WARNING_CODES,
  'FACE_NOT_FOUND',
  'FACE_BOX_MISMATCH',
  'FACE_BOX_CONFLICT',
] as const;

export const warningSchema = closedObject(
  {
    field: Type.String({ description: 'The form field that the warning is about.' }),
    code: Type.Enum([...WARNING_CODES]),
    role: Type.Optional(roleSchema),
    message: Type.String({
      description: 'One sentence that says what is wrong with the photo and what to do.',
    }),
  },
  { title: 'Warning' },
);
export type Warning = Static<typeof warningSchema>;

export const quoteSchema = closedObject({
  dryRun: Type.Literal(true),
  requiredCredits: Type.Optional(credits),
  estimatedCredits: Type.Optional(credits),
  faces: Type.Record(Type.String(), Type.Array(detectedFaceSchema), {
    description: 'The faces of each image, by form field; videos and GIFs are not searched for a quote.',
  }),
  warnings: Type.Array(warningSchema),
});
export type Quote = Static<typeof quoteSchema>;

export const outputSchema = closedObject(
  {
    index: Type.Integer({ minimum: 0 }),
    url: Type.Optional(
      Type.String({
        format: 'uri',
        description: 'A signed link, valid without a key until expiresAt. Absent if the file was deleted.',
      }),
    ),
    contentType: Type.String(),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    bytes: Type.Integer({ minimum: 1 }),
    durationSeconds: Type.Optional(Type.Number({ minimum: 0, description: 'Length of a video or GIF.' })),
    expiresAt: Type.Optional(dateTime),
    deletedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Time at which the owner deleted the file.' }),
    ),
    sha256: Type.String({ description: 'Lower-case hex.' }),
  },
  { title: 'Output' },
);
export type OutputBody = Static<typeof outputSchema>;

const failureCode = Type.Enum([...FAILURE_CODES]);

const receiptSchema = Type.Object(
  {
    facesFound: Type.Integer({
      minimum: 0,
      description: 'Faces in the target; for a batch, in all its targets.',
    }),
    frames: Type.Object({
      total: Type.Integer({ minimum: 0 }),
      swapped: Type.Integer({ minimum: 0 }),
      bridged: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'Swapped frames in which the face was not found, but interpolated from the frames around; videos and GIFs only.',
        }),
      ),
      passedThrough: Type.Integer({ minimum: 0, description: 'Frames without a swapped face.' }),
    }),
    longestGapFrames: Type.Integer({
      minimum: 0,
      description: 'Longest run of frames without a swapped face.',
    }),
    engine: Type.Object({ name: Type.String(), version: Type.String() }),
    identitySimilarity: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description: 'Likeness of the swapped face to its source. If several faces were swapped, the lowest.',
    }),
    sourceShares: Type.Optional(
      Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
        description:
          'How much of the face came from which photo, by form field; they add up to 1. Present if additionalSourceImages were sent.',
      }),
    ),
    persons: Type.Optional(
      Type.Array(
        closedObject({
          index: Type.Integer({ minimum: 0, description: 'Number of the mapping: N of targetFaceN.' }),
          framesSwapped: Type.Integer({ minimum: 0 }),
          longestGapFrames: Type.Integer({ minimum: 0 }),
          identitySimilarity: orNull(Type.Number({ minimum: 0, maximum: 1 })),
        }),
        { description: 'Each mapped person; only of a video or GIF whose people were mapped.' },
      ),
    ),
    label: Type.Optional(
      Type.Literal(true, { description: 'Present if the visible label is on the results.' }),
    ),
    watermark: Type.Optional(
      Type.Literal(true, {
        description:
          'Present if the results have the invisible watermark. In pictures with fewer than 256 pixels on a side it may be unreadable.',
      }),
    ),
    warnings: Type.Optional(
      Type.Array(warningSchema, {
        description: 'Warnings about the faces, at most one for each face. Left out if there are none.',
      }),
    ),
    credits,
  },
  { title: 'Receipt', additionalProperties: false, description: 'Report of the engine about its work.' },
);
export type ReceiptBody = Static<typeof receiptSchema>;

const failuresSchema = Type.Array(
  Type.Object(
    { index: Type.Integer({ minimum: 0 }), code: failureCode, message: Type.String() },
    { title: 'ItemFailure' },
  ),
  { description: 'Items of a batch that failed; index as in outputs.' },
);

/**
 * Schemas of `result` for each status (docs/spec/ai-tasks#result). The schema of a task accepts any
 * `result`. A cancelled batch shows its finished outputs like a completed one.
 */
export const resultSchemas = {
  processing: Type.Object(
    {
      progress: Type.Number({ minimum: 0, maximum: 1 }),
      outputs: Type.Array(outputSchema),
    },
    { title: 'Progress' },
  ),
  completed: Type.Object(
    {
      outputs: Type.Array(outputSchema),
      failures: failuresSchema,
      receipt: receiptSchema,
    },
    { title: 'Outcome' },
  ),
  failed: Type.Object(
    {
      error: Type.Object({ code: failureCode, message: Type.String() }),
      failures: Type.Optional(failuresSchema),
    },
    { title: 'Failure' },
  ),
};
export type TaskResultBody = null | Static<(typeof resultSchemas)[keyof typeof resultSchemas]>;

export const taskSchema = closedObject({
  id: uuid,
  taskType: Type.Enum([...TASK_TYPES]),
  status: statusSchema,
  costCredits: credits,
  parameters: Type.Unsafe<Record<string, unknown>>({}),
  result: Type.Unsafe<TaskResultBody>({}),
  createdAt: dateTime,
  startedAt: orNull(dateTime),
  completedAt: orNull(dateTime),
});
export type TaskBody = Static<typeof taskSchema>;

/** A task in a list: like the answer of GET, but without links to its outputs. */
export type TaskListEntryBody = Omit<TaskBody, 'result'> & {
  readonly result:
    | null
    | (Omit<NonNullable<TaskResultBody>, 'outputs'> & { outputs?: Omit<OutputBody, 'url'>[] });
};

/** Answer of `GET /api/ai-tasks/engines`. */
export const enginesSchema = closedObject({
  default: Type.String({ description: 'The engine of requests that name none.' }),
  engines: Type.Array(
    closedObject(
      {
        id: Type.String(),
        kind: Type.Union([Type.Literal('mesh'), Type.Literal('network')]),
        resolution: Type.Integer({ description: 'Largest side of a face that it draws, in pixels.' }),
        providers: Type.Array(Type.String(), { description: 'What it computes on, such as cpu.' }),
        priceFactor: Type.Number({ description: "Factor of a task's price." }),
      },
      { title: 'Engine' },
    ),
  ),
});

export interface TaskListBody {
  readonly tasks: readonly TaskListEntryBody[];
  readonly nextCursor: string | null;
}

export const taskListSchema = closedObject({
  tasks: Type.Array(Type.Unsafe<TaskListEntryBody>({ $ref: '#/components/schemas/Task' }), {
    description: 'Newest first, each as GET returns it, but without the links of outputs.',
  }),
  nextCursor: Type.Union([uuid, Type.Null()], {
    description: 'Cursor of the next page; null on the last.',
  }),
});

export const deletedFilesSchema = closedObject({
  id: uuid,
  deletedFiles: Type.Integer({ minimum: 0, description: 'Number of outputs that this request deleted.' }),
});
export type DeletedFilesBody = Static<typeof deletedFilesSchema>;

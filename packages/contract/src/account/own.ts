import { type Static, type TSchema, Type } from 'typebox';
import { outputSchema } from '../ai-tasks/schemas.ts';
import { REQUEST_ERROR_STATUS } from '../errors.ts';
import { PLANS } from '../plans.ts';
import { TASK_STATUSES, TASK_TYPES } from '../task.ts';

/**
 * Schemas of `/account/...`, for signed-in people and their own accounts. Times are ISO 8601, ids
 * are UUIDs (except where they are numbers).
 */

const closed = { additionalProperties: false };
const uuid = Type.String({ format: 'uuid' });
const dateTime = Type.String({ format: 'date-time' });
const credits = Type.Integer({ minimum: 0 });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Body of every error answer of `/account`. */
export const accountErrorSchema = Type.Object(
  {
    error: Type.String({ description: 'One plain sentence.' }),
    code: Type.Enum(Object.keys(REQUEST_ERROR_STATUS)),
    /** The part of the request that is wrong, if the message names one. */
    field: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer()),
    resetSeconds: Type.Optional(Type.Integer()),
    required: Type.Optional(Type.Integer()),
    available: Type.Optional(Type.Integer()),
  },
  closed,
);

const planSchema = Type.Enum([...PLANS]);
const balanceSchema = Type.Object({ available: credits, held: credits }, closed);
/** Limits of a plan; null means unlimited. */
export const planLimitsSchema = Type.Object(
  {
    requestsPerMinute: orNull(Type.Integer()),
    requestsPerDay: orNull(Type.Integer()),
    imagesPerBatch: Type.Integer(),
    concurrentBatches: orNull(Type.Integer()),
  },
  closed,
);
export const pricesSchema = Type.Object(
  {
    photo: credits,
    batchOutput: credits,
    groupFace: credits,
    videoSecond: credits,
    videoMinimum: credits,
    gifSecond: credits,
    gifMinimum: credits,
    factor4k: Type.Number({ description: 'Factor on the price of a v1 request with quality 4k.' }),
  },
  closed,
);

/** An account as its user and operators see it. */
export const accountSchema = Type.Object(
  {
    id: uuid,
    email: Type.String(),
    name: Type.String(),
    role: Type.Enum(['owner', 'user']),
    plan: planSchema,
    credits: balanceSchema,
    emailVerified: Type.Boolean(),
    createdAt: dateTime,
  },
  closed,
);
export const meSchema = Type.Object(
  {
    ...accountSchema.properties,
    /**
     * false if the account has no password yet. A password can then be set without the current one.
     */
    hasPassword: Type.Boolean(),
    limits: planLimitsSchema,
    prices: pricesSchema,
    /** Whether `/verify` exists. */
    publicVerify: Type.Boolean(),
  },
  closed,
);
export const changeMeRequestSchema = Type.Object({ name: Type.String({ maxLength: 100 }) }, closed);
/** `email` must be the account's own address, so that nobody deletes an account by mistake. */
/** Receipt of the deletion of all files of an account. */
export const deletionSchema = Type.Object(
  {
    deletedAt: Type.String({ format: 'date-time' }),
    cancelledTasks: Type.Integer({ minimum: 0 }),
    deletedFaces: Type.Integer({ minimum: 0 }),
    deletedFiles: Type.Integer({ minimum: 0 }),
    deletedBytes: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);

export const deleteMeRequestSchema = Type.Object(
  {
    email: Type.String({ maxLength: 254 }),
    password: Type.Optional(Type.String({ maxLength: 128 })),
  },
  closed,
);

const apiKeySchema = Type.Object(
  {
    id: uuid,
    name: Type.String(),
    lastFour: Type.String(),
    createdAt: dateTime,
    /** Exact to the minute. */
    lastUsedAt: orNull(dateTime),
    revokedAt: orNull(dateTime),
  },
  closed,
);
export const apiKeysSchema = Type.Object({ keys: Type.Array(apiKeySchema) }, closed);
export const newApiKeyRequestSchema = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 100 }) },
  closed,
);
/** `secret` can only be seen in this answer. */
export const createdApiKeySchema = Type.Object({ key: apiKeySchema, secret: Type.String() }, closed);

/**
 * Address ranges (CIDR) from which the account's keys work. An empty list allows all addresses.
 * Only for the enterprise plan.
 */
export const ipAllowlistSchema = Type.Object(
  { ranges: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 }) },
  closed,
);

/** Token for `Authorization: Bearer` on both interfaces. It expires with its session or earlier. */
export const accessTokenSchema = Type.Object({ token: Type.String(), expiresAt: dateTime }, closed);

const creditEntrySchema = Type.Object(
  {
    /** Later entries have higher numbers. */
    id: Type.Integer(),
    kind: Type.Enum(['grant', 'hold', 'capture', 'release', 'adjust']),
    availableChange: Type.Integer(),
    heldChange: Type.Integer(),
    availableAfter: credits,
    heldAfter: credits,
    taskId: orNull(uuid),
    note: Type.String(),
    createdAt: dateTime,
  },
  closed,
);
export const creditsSchema = Type.Object(
  { ...balanceSchema.properties, entries: Type.Array(creditEntrySchema), next: orNull(Type.String()) },
  closed,
);

export const usageSchema = Type.Object(
  {
    /** Days (UTC) and workflows with tasks only; oldest first. */
    rows: Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date' }),
          taskType: Type.Enum([...TASK_TYPES]),
          tasks: Type.Integer(),
          completed: Type.Integer(),
          failed: Type.Integer(),
          cancelled: Type.Integer(),
          /** Credits that were captured or are still held. */
          credits,
        },
        closed,
      ),
    ),
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
  },
  closed,
);

export const ratesSchema = Type.Object(
  {
    rates: Type.Array(
      Type.Object(
        {
          bucket: Type.String(),
          windowSeconds: Type.Integer(),
          /** null means unlimited. */
          limit: orNull(Type.Integer()),
          used: Type.Integer(),
          resetSeconds: Type.Integer(),
        },
        closed,
      ),
    ),
  },
  closed,
);

const taskSummarySchema = Type.Object(
  {
    id: uuid,
    interface: Type.Enum(['ai-tasks', 'v1']),
    taskType: Type.Enum([...TASK_TYPES]),
    status: Type.Enum([...TASK_STATUSES]),
    /** 0 to 1. */
    progress: Type.Number(),
    costCredits: credits,
    /** Name of the first file that is changed; null if the client sent no name, as over v1. */
    fileName: orNull(Type.String()),
    /** The first output: its link, or the time when its file was deleted. */
    preview: orNull(
      Type.Object(
        {
          url: Type.Optional(Type.String()),
          deletedAt: Type.Optional(dateTime),
          contentType: Type.String(),
          /** Link to a small picture of it. */
          thumbnailUrl: Type.Optional(Type.String()),
        },
        closed,
      ),
    ),
    error: orNull(Type.Object({ code: Type.String(), message: Type.String() }, closed)),
    createdAt: dateTime,
    startedAt: orNull(dateTime),
    completedAt: orNull(dateTime),
  },
  closed,
);
export const tasksSchema = Type.Object(
  { tasks: Type.Array(taskSummarySchema), next: orNull(Type.String()) },
  closed,
);
export const taskDetailSchema = Type.Object(
  {
    ...taskSummarySchema.properties,
    parameters: Type.Record(Type.String(), Type.Unknown()),
    /** Empty after the links have expired. */
    outputs: Type.Array(outputSchema),
    /** Links to small pictures of the outputs, in their order; null for one that has none. */
    thumbnailUrls: Type.Array(orNull(Type.String())),
    failures: Type.Array(
      Type.Object({ index: Type.Integer(), code: Type.String(), message: Type.String() }, closed),
    ),
    /** Price of running the task again; null if its uploads are deleted or it came through v1. */
    rerun: orNull(
      Type.Object(
        {
          costCredits: credits,
          /** Time when the first upload will be deleted; null while the task is unfinished. */
          until: orNull(dateTime),
        },
        closed,
      ),
    ),
    /** Receipt, like `result.receipt` of `/api/ai-tasks`. */
    receipt: orNull(Type.Record(Type.String(), Type.Unknown())),
    timings: Type.Object(
      {
        /** Waiting time in seconds before the current attempt. */
        queuedSeconds: orNull(Type.Number()),
        workedSeconds: orNull(Type.Number()),
      },
      closed,
    ),
  },
  closed,
);

/** The new task. */
export const rerunSchema = Type.Object({ taskId: uuid }, closed);

export type AccountBody = Static<typeof accountSchema>;
export type Me = Static<typeof meSchema>;
export type ChangeMeRequest = Static<typeof changeMeRequestSchema>;
export type DeletionBody = Static<typeof deletionSchema>;
export type DeleteMeRequest = Static<typeof deleteMeRequestSchema>;
export type ApiKeyBody = Static<typeof apiKeySchema>;
export type ApiKeysBody = Static<typeof apiKeysSchema>;
export type NewApiKeyRequest = Static<typeof newApiKeyRequestSchema>;
export type CreatedApiKeyBody = Static<typeof createdApiKeySchema>;
export type IpAllowlistBody = Static<typeof ipAllowlistSchema>;
export type AccessTokenBody = Static<typeof accessTokenSchema>;
export type CreditsBody = Static<typeof creditsSchema>;
export type UsageBody = Static<typeof usageSchema>;
export type RatesBody = Static<typeof ratesSchema>;
export type TaskSummaryBody = Static<typeof taskSummarySchema>;
export type TasksBody = Static<typeof tasksSchema>;
export type TaskDetailBody = Static<typeof taskDetailSchema>;
export type RerunBody = Static<typeof rerunSchema>;

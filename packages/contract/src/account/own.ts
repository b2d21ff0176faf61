import { type Static, Type } from 'typebox';
import { outputSchema } from '../ai-tasks/schemas.ts';
import { REQUEST_ERROR_STATUS } from '../errors.ts';
import { PLANS } from '../plans.ts';
import { TASK_STATUSES, TASK_TYPES } from '../task.ts';
import { closedObject, dateTime, orNull, uuid } from '../schema-parts.ts';

/**
 * Schemas of `/account/...`, for signed-in people and their own accounts. Times are ISO 8601, ids
 * are UUIDs (except where they are numbers).
 */

const credits = Type.Integer({ minimum: 0 });

/** Body of every error answer of `/account`. */
export const accountErrorSchema = closedObject({
  error: Type.String({ description: 'One plain sentence.' }),
  code: Type.Enum(Object.keys(REQUEST_ERROR_STATUS)),
  /** The part of the request that is wrong, if the message names one. */
  field: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer()),
  resetSeconds: Type.Optional(Type.Integer()),
  required: Type.Optional(Type.Integer()),
  available: Type.Optional(Type.Integer()),
});

const planSchema = Type.Enum([...PLANS]);
const balanceSchema = closedObject({ available: credits, held: credits });
/** Limits of a plan; null means unlimited. */
export const planLimitsSchema = closedObject({
  requestsPerMinute: orNull(Type.Integer()),
  requestsPerDay: orNull(Type.Integer()),
  imagesPerBatch: Type.Integer(),
  concurrentBatches: orNull(Type.Integer()),
});
export const pricesSchema = closedObject({
  photo: credits,
  batchOutput: credits,
  groupFace: credits,
  videoSecond: credits,
  videoMinimum: credits,
  gifSecond: credits,
  gifMinimum: credits,
  factor4k: Type.Number({ description: 'Factor on the price of a v1 request with quality 4k.' }),
});

/** An account as its user and operators see it. */
export const accountSchema = closedObject({
  id: uuid,
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum(['owner', 'user']),
  plan: planSchema,
  credits: balanceSchema,
  emailVerified: Type.Boolean(),
  createdAt: dateTime,
});
export const meSchema = closedObject({
  ...accountSchema.properties,
  /**
   * false if the account has no password yet. A password can then be set without the current one.
   */
  hasPassword: Type.Boolean(),
  limits: planLimitsSchema,
  prices: pricesSchema,
  /** Whether `/verify` exists. */
  publicVerify: Type.Boolean(),
});
export const changeMeRequestSchema = closedObject({ name: Type.String({ maxLength: 100 }) });
/** Receipt of the deletion of all files of an account. */
export const deletionSchema = closedObject({
  deletedAt: dateTime,
  cancelledTasks: Type.Integer({ minimum: 0 }),
  deletedFaces: Type.Integer({ minimum: 0 }),
  deletedFiles: Type.Integer({ minimum: 0 }),
  deletedBytes: Type.Integer({ minimum: 0 }),
});

/** `email` must be the account's own address, so that nobody deletes an account by mistake. */
export const deleteMeRequestSchema = closedObject({
  email: Type.String({ maxLength: 254 }),
  password: Type.Optional(Type.String({ maxLength: 128 })),
});

const apiKeySchema = closedObject({
  id: uuid,
  name: Type.String(),
  lastFour: Type.String(),
  createdAt: dateTime,
  /** Exact to the minute. */
  lastUsedAt: orNull(dateTime),
  revokedAt: orNull(dateTime),
});
export const apiKeysSchema = closedObject({ keys: Type.Array(apiKeySchema) });
export const newApiKeyRequestSchema = closedObject({ name: Type.String({ minLength: 1, maxLength: 100 }) });
/** `secret` can only be seen in this answer. */
export const createdApiKeySchema = closedObject({ key: apiKeySchema, secret: Type.String() });

/**
 * Address ranges (CIDR) from which the account's keys work. An empty list allows all addresses.
 * Only for the enterprise plan.
 */
export const ipAllowlistSchema = closedObject({
  ranges: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 }),
});

/** Token for `Authorization: Bearer` on both interfaces. It expires with its session or earlier. */
export const accessTokenSchema = closedObject({ token: Type.String(), expiresAt: dateTime });

const creditEntrySchema = closedObject({
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
});
export const creditsSchema = closedObject({
  ...balanceSchema.properties,
  entries: Type.Array(creditEntrySchema),
  next: orNull(Type.String()),
});

export const usageSchema = closedObject({
  /** Days (UTC) and workflows with tasks only; oldest first. */
  rows: Type.Array(
    closedObject({
      date: Type.String({ format: 'date' }),
      taskType: Type.Enum([...TASK_TYPES]),
      tasks: Type.Integer(),
      completed: Type.Integer(),
      failed: Type.Integer(),
      cancelled: Type.Integer(),
      /** Credits that were captured or are still held. */
      credits,
    }),
  ),
  from: Type.String({ format: 'date' }),
  to: Type.String({ format: 'date' }),
});

export const ratesSchema = closedObject({
  rates: Type.Array(
    closedObject({
      bucket: Type.String(),
      windowSeconds: Type.Integer(),
      /** null means unlimited. */
      limit: orNull(Type.Integer()),
      used: Type.Integer(),
      resetSeconds: Type.Integer(),
    }),
  ),
});

const taskSummarySchema = closedObject({
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
    closedObject({
      url: Type.Optional(Type.String()),
      deletedAt: Type.Optional(dateTime),
      contentType: Type.String(),
      /** Link to a small picture of it. */
      thumbnailUrl: Type.Optional(Type.String()),
    }),
  ),
  error: orNull(closedObject({ code: Type.String(), message: Type.String() })),
  createdAt: dateTime,
  startedAt: orNull(dateTime),
  completedAt: orNull(dateTime),
});
export const tasksSchema = closedObject({
  tasks: Type.Array(taskSummarySchema),
  next: orNull(Type.String()),
});
export const taskDetailSchema = closedObject({
  ...taskSummarySchema.properties,
  parameters: Type.Record(Type.String(), Type.Unknown()),
  /** Empty after the links have expired. */
  outputs: Type.Array(outputSchema),
  /** Links to small pictures of the outputs, in their order; null for one that has none. */
  thumbnailUrls: Type.Array(orNull(Type.String())),
  failures: Type.Array(closedObject({ index: Type.Integer(), code: Type.String(), message: Type.String() })),
  /** Price of running the task again; null if its uploads are deleted or it came through v1. */
  rerun: orNull(
    closedObject({
      costCredits: credits,
      /** Time when the first upload will be deleted; null while the task is unfinished. */
      until: orNull(dateTime),
    }),
  ),
  /** Receipt, like `result.receipt` of `/api/ai-tasks`. */
  receipt: orNull(Type.Record(Type.String(), Type.Unknown())),
  timings: closedObject({
    /** Waiting time in seconds before the current attempt. */
    queuedSeconds: orNull(Type.Number()),
    workedSeconds: orNull(Type.Number()),
  }),
});

/** The new task. */
export const rerunSchema = closedObject({ taskId: uuid });

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

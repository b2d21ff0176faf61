import { type Static, type TSchema, Type } from 'typebox';
import { PLANS } from '../plans.ts';
import { TASK_TYPES } from '../task.ts';
import { accountSchema, planLimitsSchema, pricesSchema } from './own.ts';
import { SIGN_UP_MODES } from './sign-up-mode.ts';

/**
 * Schemas of `/account/operator/...`, with which owners see and change the installation. For
 * anybody else these paths do not exist.
 */

const closed = { additionalProperties: false };
const uuid = Type.String({ format: 'uuid' });
const dateTime = Type.String({ format: 'date-time' });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const next = orNull(Type.String());
const plan = Type.Enum([...PLANS]);
const note = Type.String({ maxLength: 500 });

const operatorAccountSchema = Type.Object(
  {
    ...accountSchema.properties,
    suspended: Type.Boolean(),
  },
  closed,
);
export const operatorAccountsSchema = Type.Object(
  { accounts: Type.Array(operatorAccountSchema), next },
  closed,
);
export const operatorAccountDetailSchema = Type.Object(
  {
    ...operatorAccountSchema.properties,
    activeKeys: Type.Integer(),
    sessions: Type.Integer(),
    tasks: Type.Object(
      {
        pending: Type.Integer(),
        processing: Type.Integer(),
        completed: Type.Integer(),
        failed: Type.Integer(),
        cancelled: Type.Integer(),
      },
      closed,
    ),
    storage: Type.Object({ objects: Type.Integer(), bytes: Type.Integer() }, closed),
  },
  closed,
);

export const setPlanRequestSchema = Type.Object({ plan }, closed);
/** A positive number adds credits, a negative number removes them. Never 0. */
export const changeCreditsRequestSchema = Type.Object(
  {
    credits: Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 }),
    note: Type.Optional(note),
  },
  closed,
);
export const suspendRequestSchema = Type.Object(
  { suspended: Type.Boolean(), note: Type.Optional(note) },
  closed,
);

const invitationSchema = Type.Object(
  {
    id: uuid,
    /** null: anybody with the link may use it. */
    email: orNull(Type.String()),
    plan,
    createdAt: dateTime,
    expiresAt: dateTime,
    usedAt: orNull(dateTime),
  },
  closed,
);
export const invitationsSchema = Type.Object({ invitations: Type.Array(invitationSchema), next }, closed);
export const newInvitationRequestSchema = Type.Object(
  { email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })), plan: Type.Optional(plan) },
  closed,
);
/**
 * `link` can only be seen in this answer. If there is an email address, the link is also mailed
 * there.
 */
export const createdInvitationSchema = Type.Object(
  { invitation: invitationSchema, link: Type.String() },
  closed,
);

export const blockedPersonSchema = Type.Object(
  { id: uuid, name: Type.String(), why: Type.String(), createdAt: dateTime },
  closed,
);
export const blocklistSchema = Type.Object({ people: Type.Array(blockedPersonSchema), next }, closed);

export const overviewSchema = Type.Object(
  {
    queue: Type.Array(
      Type.Object(
        {
          lane: Type.Enum(['short', 'long']),
          pending: Type.Integer(),
          oldestSeconds: Type.Number(),
          processing: Type.Integer(),
        },
        closed,
      ),
    ),
    /** Workers that reported in the last half minute, and their engine slots. */
    workers: Type.Object({ total: Type.Integer(), slots: Type.Integer() }, closed),
    /** Tasks that ended in this hour and the 23 before it, a row for each hour, oldest first. */
    lastDay: Type.Array(
      Type.Object(
        {
          /** Beginning of the hour. */
          hour: dateTime,
          completed: Type.Integer(),
          failed: Type.Integer(),
          cancelled: Type.Integer(),
        },
        closed,
      ),
    ),
    storage: Type.Object(
      {
        inputs: Type.Object({ objects: Type.Integer(), bytes: Type.Integer() }, closed),
        outputs: Type.Object({ objects: Type.Integer(), bytes: Type.Integer() }, closed),
        databaseBytes: Type.Integer(),
      },
      closed,
    ),
    accounts: Type.Object(
      { total: Type.Integer(), unverified: Type.Integer(), suspended: Type.Integer() },
      closed,
    ),
    prices: pricesSchema,
    plans: Type.Object(
      { free: planLimitsSchema, pro: planLimitsSchema, enterprise: planLimitsSchema },
      closed,
    ),
    settings: Type.Object(
      {
        signUp: Type.Enum([...SIGN_UP_MODES]),
        mail: Type.Enum(['smtp', 'outbox']),
        startingCredits: Type.Integer(),
        startingPlan: plan,
        publicUrl: Type.String(),
        taskDeadlineSeconds: Type.Number(),
        inputRetentionSeconds: Type.Number(),
        outputLifetimeSeconds: Type.Number(),
        maxImagePixels: Type.Integer(),
      },
      closed,
    ),
  },
  closed,
);

/** Workers that reported in the last half minute. */
export const workersSchema = Type.Object(
  {
    workers: Type.Array(
      Type.Object(
        {
          id: uuid,
          host: Type.String(),
          slots: Type.Integer(),
          memoryBytes: Type.Integer(),
          /** Load of the machine over one minute, per core: 1 is fully used. */
          load: Type.Number(),
          startedAt: dateTime,
          seenAt: dateTime,
          /** Networks of the operator that it holds. */
          networks: Type.Array(
            Type.Object({ id: Type.String(), providers: Type.Array(Type.String()) }, closed),
          ),
        },
        closed,
      ),
    ),
    next,
  },
  closed,
);

export const failuresSchema = Type.Object(
  {
    failures: Type.Array(
      Type.Object(
        {
          taskId: uuid,
          accountId: uuid,
          email: Type.String(),
          taskType: Type.Enum([...TASK_TYPES]),
          interface: Type.Enum(['ai-tasks', 'v1']),
          code: Type.String(),
          message: Type.String(),
          completedAt: dateTime,
        },
        closed,
      ),
    ),
    next,
  },
  closed,
);

/** Names of an operator's actions in the audit log. */
const OPERATOR_ACTIONS = [
  'plan.set',
  'credits.change',
  'account.suspend',
  'account.resume',
  'account.verify',
  'invitation.create',
  'invitation.revoke',
  // The command line only: an owner has no page for these.
  'account.create',
  'allowlist.set',
  'key.create',
  'key.revoke',
  'sign-in-link.create',
  'webhook-secret.rotate',
  'webhook.resend',
  'installation-key.rotate',
  'signing-certificate.rotate',
  'backup.restore',
  // A worker found a network that an operator has added.
  'network.add',
  'files.delete',
  'face.withdraw',
  'blocklist.add',
  'blocklist.remove',
  // A worker refused a task that showed a face of the blocklist.
  'face.block',
] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

export const auditSchema = Type.Object(
  {
    entries: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          /** The operator's email address at that time; `command line` for a command. */
          operatorEmail: Type.String(),
          action: Type.Enum([...OPERATOR_ACTIONS]),
          /** Account that the action changed; null if it changed none. */
          accountId: orNull(uuid),
          accountEmail: orNull(Type.String()),
          details: Type.Record(Type.String(), Type.Unknown()),
          createdAt: dateTime,
        },
        closed,
      ),
    ),
    next,
  },
  closed,
);

export type OperatorAccountBody = Static<typeof operatorAccountSchema>;
export type OperatorAccountsBody = Static<typeof operatorAccountsSchema>;
export type OperatorAccountDetailBody = Static<typeof operatorAccountDetailSchema>;
export type SetPlanRequest = Static<typeof setPlanRequestSchema>;
export type ChangeCreditsRequest = Static<typeof changeCreditsRequestSchema>;
export type SuspendRequest = Static<typeof suspendRequestSchema>;
export type InvitationBody = Static<typeof invitationSchema>;
export type InvitationsBody = Static<typeof invitationsSchema>;
export type NewInvitationRequest = Static<typeof newInvitationRequestSchema>;
export type CreatedInvitationBody = Static<typeof createdInvitationSchema>;
export type BlockedPersonBody = Static<typeof blockedPersonSchema>;
export type BlocklistBody = Static<typeof blocklistSchema>;
export type OverviewBody = Static<typeof overviewSchema>;
export type WorkersBody = Static<typeof workersSchema>;
export type FailuresBody = Static<typeof failuresSchema>;
export type AuditBody = Static<typeof auditSchema>;

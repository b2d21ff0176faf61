import { type Static, Type } from 'typebox';
import { PLANS } from '../plans.ts';
import { TASK_TYPES } from '../task.ts';
import { accountSchema, planLimitsSchema, pricesSchema } from './own.ts';
import { SIGN_UP_MODES } from './sign-up-mode.ts';
import { closedObject, dateTime, orNull, uuid } from '../schema-parts.ts';

/**
 * Schemas of `/account/operator/...`, with which owners see and change the installation. For
 * anybody else these paths do not exist.
 */

const next = orNull(Type.String());
const plan = Type.Enum([...PLANS]);
const note = Type.String({ maxLength: 500 });

const operatorAccountSchema = closedObject({
  ...accountSchema.properties,
  suspended: Type.Boolean(),
});
export const operatorAccountsSchema = closedObject({ accounts: Type.Array(operatorAccountSchema), next });
export const operatorAccountDetailSchema = closedObject({
  ...operatorAccountSchema.properties,
  activeKeys: Type.Integer(),
  sessions: Type.Integer(),
  tasks: closedObject({
    pending: Type.Integer(),
    processing: Type.Integer(),
    completed: Type.Integer(),
    failed: Type.Integer(),
    cancelled: Type.Integer(),
  }),
  storage: closedObject({ objects: Type.Integer(), bytes: Type.Integer() }),
});

export const setPlanRequestSchema = closedObject({ plan });
/** A positive number adds credits, a negative number removes them. Never 0. */
export const changeCreditsRequestSchema = closedObject({
  credits: Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 }),
  note: Type.Optional(note),
});
export const suspendRequestSchema = closedObject({ suspended: Type.Boolean(), note: Type.Optional(note) });

const invitationSchema = closedObject({
  id: uuid,
  /** null: anybody with the link may use it. */
  email: orNull(Type.String()),
  plan,
  createdAt: dateTime,
  expiresAt: dateTime,
  usedAt: orNull(dateTime),
});
export const invitationsSchema = closedObject({ invitations: Type.Array(invitationSchema), next });
export const newInvitationRequestSchema = closedObject({
  email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
  plan: Type.Optional(plan),
});
/**
 * `link` can only be seen in this answer. If there is an email address, the link is also mailed
 * there.
 */
export const createdInvitationSchema = closedObject({ invitation: invitationSchema, link: Type.String() });

export const blockedPersonSchema = closedObject({
  id: uuid,
  name: Type.String(),
  why: Type.String(),
  createdAt: dateTime,
});
export const blocklistSchema = closedObject({ people: Type.Array(blockedPersonSchema), next });

export const overviewSchema = closedObject({
  queue: Type.Array(
    closedObject({
      lane: Type.Enum(['short', 'long']),
      pending: Type.Integer(),
      oldestSeconds: Type.Number(),
      processing: Type.Integer(),
    }),
  ),
  /** Workers that reported in the last half minute, and their engine slots. */
  workers: closedObject({ total: Type.Integer(), slots: Type.Integer() }),
  /** Tasks that ended in this hour and the 23 before it, a row for each hour, oldest first. */
  lastDay: Type.Array(
    closedObject({
      /** Beginning of the hour. */
      hour: dateTime,
      completed: Type.Integer(),
      failed: Type.Integer(),
      cancelled: Type.Integer(),
    }),
  ),
  storage: closedObject({
    inputs: closedObject({ objects: Type.Integer(), bytes: Type.Integer() }),
    outputs: closedObject({ objects: Type.Integer(), bytes: Type.Integer() }),
    databaseBytes: Type.Integer(),
  }),
  accounts: closedObject({ total: Type.Integer(), unverified: Type.Integer(), suspended: Type.Integer() }),
  prices: pricesSchema,
  plans: closedObject({ free: planLimitsSchema, pro: planLimitsSchema, enterprise: planLimitsSchema }),
  settings: closedObject({
    signUp: Type.Enum([...SIGN_UP_MODES]),
    mail: Type.Enum(['smtp', 'outbox']),
    startingCredits: Type.Integer(),
    startingPlan: plan,
    publicUrl: Type.String(),
    taskDeadlineSeconds: Type.Number(),
    inputRetentionSeconds: Type.Number(),
    outputLifetimeSeconds: Type.Number(),
    maxImagePixels: Type.Integer(),
  }),
});

/** Workers that reported in the last half minute. */
export const workersSchema = closedObject({
  workers: Type.Array(
    closedObject({
      id: uuid,
      host: Type.String(),
      slots: Type.Integer(),
      memoryBytes: Type.Integer(),
      /** Load of the machine over one minute, per core: 1 is fully used. */
      load: Type.Number(),
      startedAt: dateTime,
      seenAt: dateTime,
      /** Networks of the operator that it holds. */
      networks: Type.Array(closedObject({ id: Type.String(), providers: Type.Array(Type.String()) })),
    }),
  ),
  next,
});

export const failuresSchema = closedObject({
  failures: Type.Array(
    closedObject({
      taskId: uuid,
      accountId: uuid,
      email: Type.String(),
      taskType: Type.Enum([...TASK_TYPES]),
      interface: Type.Enum(['ai-tasks', 'v1']),
      code: Type.String(),
      message: Type.String(),
      completedAt: dateTime,
    }),
  ),
  next,
});

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

export const auditSchema = closedObject({
  entries: Type.Array(
    closedObject({
      id: Type.Integer(),
      /** The operator's email address at that time; `command line` for a command. */
      operatorEmail: Type.String(),
      action: Type.Enum([...OPERATOR_ACTIONS]),
      /** Account that the action changed; null if it changed none. */
      accountId: orNull(uuid),
      accountEmail: orNull(Type.String()),
      details: Type.Record(Type.String(), Type.Unknown()),
      createdAt: dateTime,
    }),
  ),
  next,
});

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

import { type Static, type TSchema, Type } from 'typebox';

/** Schemas of `/account/webhook-...`, with which the owner of an account manages webhooks. */

const closed = { additionalProperties: false };
const dateTime = Type.String({ format: 'date-time' });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const webhookSecretSchema = Type.Object({ secret: Type.String() }, closed);
/** New secret; the previous one stays valid until `previousUntil`. */
export const rotatedWebhookSecretSchema = Type.Object(
  { secret: Type.String(), previousUntil: dateTime },
  closed,
);

const webhookDeliverySchema = Type.Object(
  {
    /** Header `webhook-id`: `evt_...`. */
    eventId: Type.String(),
    event: Type.String(),
    /** `job_...` */
    jobId: Type.String(),
    url: Type.String(),
    status: Type.Enum(['pending', 'delivered', 'failed', 'stopped']),
    createdAt: dateTime,
    /** Set only while the event is pending. */
    nextAttemptAt: orNull(dateTime),
    attemptCount: Type.Integer(),
    /** The latest attempts, at most twenty, in chronological order. */
    attempts: Type.Array(
      Type.Object(
        {
          startedAt: dateTime,
          durationMs: Type.Integer(),
          /** null if there was no answer. */
          httpStatus: orNull(Type.Integer()),
          /** null if the event was delivered. */
          failure: orNull(Type.String()),
        },
        closed,
      ),
    ),
  },
  closed,
);
export const webhookDeliveriesSchema = Type.Object(
  { deliveries: Type.Array(webhookDeliverySchema), next: orNull(Type.String()) },
  closed,
);
/** The exact bytes that are signed; null before the first attempt. */
export const webhookPayloadSchema = Type.Object({ payload: orNull(Type.String()) }, closed);

export type WebhookSecretBody = Static<typeof webhookSecretSchema>;
export type RotatedWebhookSecretBody = Static<typeof rotatedWebhookSecretSchema>;
export type WebhookDeliveryBody = Static<typeof webhookDeliverySchema>;
export type WebhookDeliveriesBody = Static<typeof webhookDeliveriesSchema>;
export type WebhookPayloadBody = Static<typeof webhookPayloadSchema>;

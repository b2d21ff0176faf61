import { type Static, Type } from 'typebox';
import { closedObject, dateTime, orNull } from '../schema-parts.ts';

/** Schemas of `/account/webhook-...`, with which the owner of an account manages webhooks. */

export const webhookSecretSchema = closedObject({ secret: Type.String() });
/** New secret; the previous one stays valid until `previousUntil`. */
export const rotatedWebhookSecretSchema = closedObject({ secret: Type.String(), previousUntil: dateTime });

const webhookDeliverySchema = closedObject({
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
    closedObject({
      startedAt: dateTime,
      durationMs: Type.Integer(),
      /** null if there was no answer. */
      httpStatus: orNull(Type.Integer()),
      /** null if the event was delivered. */
      failure: orNull(Type.String()),
    }),
  ),
});
export const webhookDeliveriesSchema = closedObject({
  deliveries: Type.Array(webhookDeliverySchema),
  next: orNull(Type.String()),
});
/** The exact bytes that are signed; null before the first attempt. */
export const webhookPayloadSchema = closedObject({ payload: orNull(Type.String()) });

export type WebhookSecretBody = Static<typeof webhookSecretSchema>;
export type RotatedWebhookSecretBody = Static<typeof rotatedWebhookSecretSchema>;
export type WebhookDeliveryBody = Static<typeof webhookDeliverySchema>;
export type WebhookDeliveriesBody = Static<typeof webhookDeliveriesSchema>;
export type WebhookPayloadBody = Static<typeof webhookPayloadSchema>;

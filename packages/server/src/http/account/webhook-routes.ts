import type { FastifyInstance, FastifyRequest } from 'fastify';
import { doneSchema } from '@guise/contract/account/sign-in.ts';
import {
  rotatedWebhookSecretSchema,
  type WebhookDeliveriesBody,
  webhookDeliveriesSchema,
  type WebhookDeliveryBody,
  webhookPayloadSchema,
  webhookSecretSchema,
} from '@guise/contract/account/webhooks.ts';
import { AppError } from '@guise/contract/errors.ts';
import { readWebhookSecret, rotateWebhookSecret } from '../../accounts/webhook-secret.ts';
import { countAttempt, ownThrottles } from '../../sign-in/throttle.ts';
import { parseEventId } from '../../webhooks/event-id.ts';
import { type Delivery, type DeliveryAttempt, listDeliveries } from '../../webhooks/list-deliveries.ts';
import { readPayload } from '../../webhooks/read-payload.ts';
import { resendEvent } from '../../webhooks/resend-event.ts';
import type { HttpDeps } from '../common/deps.ts';
import { sessionOf } from './common/guard.ts';
import { readNumberPage, readQuery } from '../common/page-query.ts';

export function addWebhookRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database } = deps;
  app.get(
    '/account/webhook-secret',
    { schema: { response: { 200: webhookSecretSchema } } },
    async (request) => ({ secret: await readWebhookSecret(database, sessionOf(request).accountId) }),
  );
  app.post(
    '/account/webhook-secret/rotate',
    { schema: { response: { 200: rotatedWebhookSecretSchema } } },
    async (request) => {
      const { secret, previousUntil } = await rotateWebhookSecret(
        database.pool,
        sessionOf(request).accountId,
      );
      return { secret, previousUntil: previousUntil.toISOString() };
    },
  );
  app.get(
    '/account/webhook-deliveries',
    { schema: { response: { 200: webhookDeliveriesSchema } } },
    async (request): Promise<WebhookDeliveriesBody> => {
      const page = readNumberPage(readQuery(request, ['cursor', 'limit']));
      const found = await listDeliveries(database, sessionOf(request).accountId, page);
      return { deliveries: found.deliveries.map(presentDelivery), next: found.nextCursor };
    },
  );
  app.get(
    '/account/webhook-deliveries/:eventId/payload',
    { schema: { response: { 200: webhookPayloadSchema } } },
    async (request) => {
      const found = await readPayload(database, sessionOf(request).accountId, readEventId(request));
      if (found === null) throw noEvent();
      return found;
    },
  );
  app.post(
    '/account/webhook-deliveries/:eventId/resend',
    { schema: { response: { 200: doneSchema } } },
    async (request) => {
      const { accountId } = sessionOf(request);
      const eventId = readEventId(request);
      await countAttempt(database, ownThrottles('webhook-resend', accountId));
      if (!(await resendEvent(database.pool, accountId, eventId))) throw noEvent();
      return { done: true };
    },
  );
}

function readEventId(request: FastifyRequest): string {
  const id = parseEventId((request.params as { eventId: string }).eventId);
  if (id === null) throw noEvent();
  return id;
}

function presentDelivery({ createdAt, nextAttemptAt, attempts, ...delivery }: Delivery): WebhookDeliveryBody {
  return {
    ...delivery,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    attempts: attempts.map(presentAttempt),
  };
}

function presentAttempt({ startedAt, ...attempt }: DeliveryAttempt): WebhookDeliveryBody['attempts'][number] {
  return { ...attempt, startedAt: startedAt.toISOString() };
}

function noEvent(): AppError {
  return new AppError('NOT_FOUND', 'There is no such webhook.');
}

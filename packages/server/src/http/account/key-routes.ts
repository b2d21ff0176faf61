import type { FastifyInstance } from 'fastify';
import {
  type ApiKeyBody,
  apiKeysSchema,
  createdApiKeySchema,
  type IpAllowlistBody,
  ipAllowlistSchema,
  type NewApiKeyRequest,
  newApiKeyRequestSchema,
} from '@guise/contract/account/own.ts';
import { doneSchema } from '@guise/contract/account/sign-in.ts';
import { AppError } from '@guise/contract/errors.ts';
import {
  createApiKey,
  type CreatedApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../accounts/api-keys.ts';
import { getIpAllowlist, setIpAllowlist } from '../../accounts/ip-allowlist.ts';
import { presentApiKey } from '../../present/account/present-api-key.ts';
import { countAttempt, ownThrottles } from '../../sign-in/throttle.ts';
import type { HttpDeps } from '../common/deps.ts';
import { accountOf, sessionOf } from './common/guard.ts';
import { readId } from '../common/page-query.ts';

/** Answers of the routes that create a key. */
const CREATED = { 201: createdApiKeySchema };

export function addKeyRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database } = deps;
  app.get('/account/keys', { schema: { response: { 200: apiKeysSchema } } }, async (request) => ({
    keys: (await listApiKeys(database, sessionOf(request).accountId)).map(presentApiKey),
  }));
  app.post<{ Body: NewApiKeyRequest }>(
    '/account/keys',
    { schema: { body: newApiKeyRequestSchema, response: CREATED } },
    async (request, reply) => {
      const { accountId } = sessionOf(request);
      await countAttempt(database, ownThrottles('key', accountId));
      const made = await createApiKey(database.pool, accountId, request.body.name);
      return reply.code(201).send(presentCreated(made));
    },
  );
  app.delete('/account/keys/:id', { schema: { response: { 200: doneSchema } } }, async (request) => {
    if (!(await revokeApiKey(database.pool, sessionOf(request).accountId, readId(request)))) throw noKey();
    return { done: true };
  });
  app.post('/account/keys/:id/rotate', { schema: { response: CREATED } }, async (request, reply) => {
    const { accountId } = sessionOf(request);
    await countAttempt(database, ownThrottles('key', accountId));
    const made = await rotateApiKey(database, accountId, readId(request));
    if (made === null) throw noKey();
    return reply.code(201).send(presentCreated(made));
  });
  app.get('/account/ip-allowlist', { schema: { response: { 200: ipAllowlistSchema } } }, async (request) => ({
    ranges: await getIpAllowlist(database, sessionOf(request).accountId),
  }));
  app.put<{ Body: IpAllowlistBody }>(
    '/account/ip-allowlist',
    { schema: { body: ipAllowlistSchema, response: { 200: ipAllowlistSchema } } },
    async (request) => {
      const { id, plan } = await accountOf(deps, request);
      if (plan !== 'enterprise') {
        throw new AppError('FORBIDDEN', 'Only accounts on the enterprise plan have an address list.');
      }
      return { ranges: (await setIpAllowlist(database.pool, id, request.body.ranges)) ?? [] };
    },
  );
}

function presentCreated(made: CreatedApiKey): { key: ApiKeyBody; secret: string } {
  return { key: presentApiKey(made), secret: made.secret };
}

function noKey(): AppError {
  return new AppError('NOT_FOUND', 'There is no such key, or it is revoked already.');
}

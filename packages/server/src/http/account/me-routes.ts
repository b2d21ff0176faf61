import type { FastifyInstance } from 'fastify';
import {
  type AccessTokenBody,
  accessTokenSchema,
  type ChangeMeRequest,
  changeMeRequestSchema,
  type DeleteMeRequest,
  deleteMeRequestSchema,
  type Me,
  meSchema,
} from '@guise/contract/account/own.ts';
import { doneSchema } from '@guise/contract/account/sign-in.ts';
import { AppError } from '@guise/contract/errors.ts';
import { PLAN_LIMITS } from '@guise/contract/plans.ts';
import type { Account } from '../../accounts/account.ts';
import { createAccessToken } from '../../accounts/api-keys.ts';
import { deleteAccount } from '../../accounts/delete-account.ts';
import { presentAccount } from '../../present/account/present-account.ts';
import { checkPassword, findPassword } from '../../sign-in/passwords.ts';
import { countAttempt, ownThrottles } from '../../sign-in/throttle.ts';
import type { HttpDeps } from '../common/deps.ts';
import { accountOf, sessionOf, setCookies, visitorOf } from './common/guard.ts';

export function addMeRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database } = deps;
  app.get('/account/me', { schema: { response: { 200: meSchema } } }, async (request) =>
    presentMe(deps, await accountOf(deps, request)),
  );
  app.patch<{ Body: ChangeMeRequest }>(
    '/account/me',
    { schema: { body: changeMeRequestSchema, response: { 200: meSchema } } },
    async (request) => {
      await database.pool.query('update accounts set name = $2 where id = $1', [
        sessionOf(request).accountId,
        request.body.name.trim(),
      ]);
      return presentMe(deps, await accountOf(deps, request));
    },
  );
  app.delete<{ Body: DeleteMeRequest }>(
    '/account/me',
    { schema: { body: deleteMeRequestSchema, response: { 200: doneSchema } } },
    async (request, reply) => {
      const account = await accountOf(deps, request);
      if (request.body.email.trim().toLowerCase() !== account.email) {
        throw new AppError('INVALID_REQUEST', 'email must be the address of this account.');
      }
      await checkPassword(deps.signIn, sessionOf(request), request.body.password);
      await deleteAccount(database, account.id);
      setCookies(reply, await deps.signIn.sessions.close(visitorOf(request)));
      return { done: true };
    },
  );
  app.post(
    '/account/token',
    { schema: { response: { 200: accessTokenSchema } } },
    async (request): Promise<AccessTokenBody> => {
      const session = sessionOf(request);
      await countAttempt(database, ownThrottles('access-token', session.accountId));
      const { token, expiresAt } = await createAccessToken(database, session);
      return { token, expiresAt: expiresAt.toISOString() };
    },
  );
}

async function presentMe(deps: HttpDeps, account: Account): Promise<Me> {
  const password = await findPassword(deps.database, { accountId: account.id });
  return {
    ...presentAccount(account),
    hasPassword: password?.hash != null,
    limits: PLAN_LIMITS[account.plan],
    prices: deps.config.prices,
    publicVerify: deps.config.publicVerify,
  };
}

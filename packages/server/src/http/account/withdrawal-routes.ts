import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type WithdrawableBody,
  withdrawableSchema,
  type WithdrawalBody,
  withdrawalSchema,
} from '@guise/contract/ai-tasks/face-schemas.ts';
import { type TokenRequest, tokenRequestSchema } from '@guise/contract/account/sign-in.ts';
import { AppError } from '@guise/contract/errors.ts';
import { findFaceByToken, type SavedFace } from '../../faces/saved-face.ts';
import { withdrawFace } from '../../faces/withdraw-face.ts';
import { countAttempt, tokenThrottles } from '../../sign-in/throttle.ts';
import type { HttpDeps } from '../common/deps.ts';
import { withdrawDeps } from '../common/withdraw-deps.ts';
import { visitorOf } from './common/guard.ts';

/**
 * Adds the routes of the page on which a person withdraws the consent to use a face. The token of
 * the link is all that they need.
 */
export function addWithdrawalRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { pool } = deps.database;
  const faceOf = async (request: FastifyRequest<{ Body: TokenRequest }>): Promise<SavedFace> => {
    await countAttempt(deps.database, tokenThrottles(visitorOf(request).address));
    const face = await findFaceByToken(pool, request.body.token);
    if (face === null)
      throw new AppError('NOT_FOUND', 'This link leads to no saved face. It may be deleted.');
    return face;
  };
  app.post<{ Body: TokenRequest }>(
    '/account/withdrawal/look',
    { schema: { body: tokenRequestSchema, response: { 200: withdrawableSchema } } },
    async (request): Promise<WithdrawableBody> => {
      const { name, consent, createdAt, withdrawnAt } = await faceOf(request);
      const dates = { createdAt: createdAt.toISOString(), withdrawnAt: withdrawnAt?.toISOString() ?? null };
      return { name, consent, ...dates };
    },
  );
  app.post<{ Body: TokenRequest }>(
    '/account/withdrawal',
    { schema: { body: tokenRequestSchema, response: { 200: withdrawalSchema } } },
    async (request): Promise<WithdrawalBody> => {
      const { id } = await faceOf(request);
      const withdrawal = await withdrawFace(withdrawDeps(deps), id);
      const { withdrawnAt } = (await findFaceByToken(pool, request.body.token))!;
      return { withdrawnAt: withdrawnAt!.toISOString(), ...withdrawal };
    },
  );
}

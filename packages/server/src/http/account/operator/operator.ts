import type { FastifyRequest } from 'fastify';
import { AppError } from '@guise/contract/errors.ts';
import type { Account } from '../../../accounts/account.ts';
import type { HttpDeps } from '../../common/deps.ts';
import { accountOf, type Hook } from '../common/guard.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `onlyOperators`. */
    operator: Account | null;
  }
}

/** Requires an operator, after `signedIn`. @throws AppError NOT_FOUND for any other account */
export function onlyOperators(deps: HttpDeps): Hook {
  return async (request) => {
    const account = await accountOf(deps, request);
    if (account.role !== 'owner') {
      throw new AppError('NOT_FOUND', 'There is nothing at this path and method.');
    }
    request.operator = account;
  };
}

/** Returns the operator. Only for routes with the hook `onlyOperators`. */
export function operatorOf(request: FastifyRequest): Account {
  if (request.operator === null) throw new Error('this route has no operator hook');
  return request.operator;
}

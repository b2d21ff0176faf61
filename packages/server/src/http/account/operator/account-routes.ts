import type { FastifyInstance } from 'fastify';
import {
  type ChangeCreditsRequest,
  changeCreditsRequestSchema,
  type OperatorAccountBody,
  type OperatorAccountDetailBody,
  operatorAccountDetailSchema,
  type OperatorAccountsBody,
  operatorAccountsSchema,
  type SetPlanRequest,
  setPlanRequestSchema,
  type SuspendRequest,
  suspendRequestSchema,
} from '@guise/contract/account/operator.ts';
import { AppError } from '@guise/contract/errors.ts';
import type { Account } from '../../../accounts/account.ts';
import { findAccountById } from '../../../accounts/find-account.ts';
import {
  changeCredits,
  changePlan,
  changeSuspension,
  verifyAccount,
} from '../../../operator/change-account.ts';
import { listAccounts, readAccountDetail } from '../../../operator/list-accounts.ts';
import { presentAccount } from '../../../present/account/present-account.ts';
import type { HttpDeps } from '../../common/deps.ts';
import { onePage, readId, readPage, readQuery } from '../../common/page-query.ts';
import { operatorOf } from './operator.ts';

/** Answers of the routes that show one account. */
const ACCOUNT = { 200: operatorAccountDetailSchema };

/** Longest search in characters, equal to the longest email address. */
const MAX_SEARCH_LENGTH = 254;

export function addOperatorAccountRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database, config } = deps;
  app.get(
    '/account/operator/accounts',
    { schema: { response: { 200: operatorAccountsSchema } } },
    async (request): Promise<OperatorAccountsBody> => {
      const query = readQuery(request, ['q', 'cursor', 'limit']);
      const page = readPage(query);
      const search = query.q?.slice(0, MAX_SEARCH_LENGTH) ?? '';
      const { rows, next } = await onePage(page, (asked) => listAccounts(database, search, asked));
      return { accounts: rows.map(present), next };
    },
  );
  app.get('/account/operator/accounts/:id', { schema: { response: ACCOUNT } }, (request) =>
    presentAccountDetail(deps, readId(request)),
  );
  app.post<{ Body: SetPlanRequest }>(
    '/account/operator/accounts/:id/plan',
    { schema: { body: setPlanRequestSchema, response: ACCOUNT } },
    async (request) => {
      await changePlan(database, operatorOf(request), readId(request), request.body.plan);
      return presentAccountDetail(deps, readId(request));
    },
  );
  app.post<{ Body: ChangeCreditsRequest }>(
    '/account/operator/accounts/:id/credits',
    { schema: { body: changeCreditsRequestSchema, response: ACCOUNT } },
    async (request) => {
      const { credits, note = '' } = request.body;
      await changeCredits(database, operatorOf(request), readId(request), { credits, note });
      return presentAccountDetail(deps, readId(request));
    },
  );
  app.post<{ Body: SuspendRequest }>(
    '/account/operator/accounts/:id/suspend',
    { schema: { body: suspendRequestSchema, response: ACCOUNT } },
    async (request) => {
      const { suspended, note = '' } = request.body;
      await changeSuspension(database, operatorOf(request), readId(request), { suspended, note });
      return presentAccountDetail(deps, readId(request));
    },
  );
  app.post('/account/operator/accounts/:id/verify', { schema: { response: ACCOUNT } }, async (request) => {
    await verifyAccount(database, operatorOf(request), readId(request), config.startingCredits);
    return presentAccountDetail(deps, readId(request));
  });
}

async function presentAccountDetail(deps: HttpDeps, id: string): Promise<OperatorAccountDetailBody> {
  const account = await findAccountById(deps.database, id);
  if (account === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return { ...present(account), ...(await readAccountDetail(deps.database, id)) };
}

function present(account: Account): OperatorAccountBody {
  return { ...presentAccount(account), suspended: account.suspended };
}

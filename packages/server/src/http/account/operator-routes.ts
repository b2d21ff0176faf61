import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  auditSchema,
  type ChangeCreditsRequest,
  changeCreditsRequestSchema,
  createdInvitationSchema,
  type FailuresBody,
  failuresSchema,
  type InvitationBody,
  invitationsSchema,
  type NewInvitationRequest,
  newInvitationRequestSchema,
  type OperatorAccountBody,
  type OperatorAccountDetailBody,
  operatorAccountDetailSchema,
  operatorAccountsSchema,
  overviewSchema,
  type SetPlanRequest,
  setPlanRequestSchema,
  type SuspendRequest,
  suspendRequestSchema,
} from '@guise/contract/account/operator.ts';
import { doneSchema } from '@guise/contract/account/sign-in.ts';
import { AppError } from '@guise/contract/errors.ts';
import type { Account } from '../../accounts/account.ts';
import { findAccountById } from '../../accounts/find-account.ts';
import { listAudit } from '../../operator/audit.ts';
import { changeCredits, changePlan, changeSuspension, verifyAccount } from '../../operator/change-account.ts';
import { invite, withdrawInvitation } from '../../operator/invite.ts';
import { listAccounts, readAccountDetail } from '../../operator/list-accounts.ts';
import { type Failure, listFailures } from '../../operator/overview.ts';
import { type Invitation, listInvitations } from '../../sign-in/invitations.ts';
import { invitationMail } from '../../sign-in/mails.ts';
import type { HttpDeps } from '../deps.ts';
import { ERRORS } from './error-answers.ts';
import { ownerOf, signedIn } from './guard.ts';
import { presentOverview } from './present-overview.ts';
import { nextOf, readId, readLimit, readNumberCursor, readQuery, readUuid } from './page-query.ts';

const ACCOUNT = { 200: operatorAccountDetailSchema, ...ERRORS };
const DONE = { 200: doneSchema, ...ERRORS };
const MAX_SEARCH_LENGTH = 254;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the operator's routes. */
    operator: Account | null;
  }
}

/** All of `/account/operator`, for owners; each change is written to the audit log together with itself. */
export function addOperatorRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.decorateRequest('operator', null);
  app.register((scope, _options, done) => {
    scope.addHook('onRequest', signedIn(deps));
    scope.addHook('onRequest', async (request) => {
      request.operator = await ownerOf(deps, request);
    });
    addOverviewRoutes(scope, deps);
    addAccountChangeRoutes(scope, deps);
    addInvitationRoutes(scope, deps);
    done();
  });
}

function addOverviewRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database } = deps;
  app.get('/account/operator/overview', { schema: { response: { 200: overviewSchema, ...ERRORS } } }, () =>
    presentOverview(deps),
  );
  app.get(
    '/account/operator/failures',
    { schema: { response: { 200: failuresSchema, ...ERRORS } } },
    async (request) => {
      const query = readQuery(request, ['cursor', 'limit']);
      const limit = readLimit(query);
      const after = readUuid('cursor', query.cursor);
      const failures = await listFailures(database, { limit, ...(after === undefined ? {} : { after }) });
      return {
        failures: failures.map(presentFailure),
        next: nextOf(
          failures.map(({ taskId }) => ({ id: taskId })),
          limit,
        ),
      };
    },
  );
  app.get(
    '/account/operator/audit',
    { schema: { response: { 200: auditSchema, ...ERRORS } } },
    async (request) => {
      const query = readQuery(request, ['cursor', 'limit']);
      const limit = readLimit(query);
      const before = readNumberCursor(query);
      const entries = await listAudit(database, { limit, ...(before === undefined ? {} : { before }) });
      return {
        entries: entries.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() })),
        next: nextOf(entries, limit),
      };
    },
  );
}

function addAccountChangeRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database, config } = deps;
  app.get(
    '/account/operator/accounts',
    { schema: { response: { 200: operatorAccountsSchema, ...ERRORS } } },
    async (request) => {
      const query = readQuery(request, ['q', 'cursor', 'limit']);
      const limit = readLimit(query);
      const after = readUuid('cursor', query.cursor);
      const search = query.q?.slice(0, MAX_SEARCH_LENGTH);
      const accounts = await listAccounts(database, {
        limit,
        ...(search ? { search } : {}),
        ...(after === undefined ? {} : { after }),
      });
      return { accounts: accounts.map(presentAccount), next: nextOf(accounts, limit) };
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

function addInvitationRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database, config, signIn } = deps;
  app.get(
    '/account/operator/invitations',
    { schema: { response: { 200: invitationsSchema, ...ERRORS } } },
    async () => ({ invitations: (await listInvitations(database)).map(presentInvitation) }),
  );
  app.post<{ Body: NewInvitationRequest }>(
    '/account/operator/invitations',
    {
      schema: {
        body: newInvitationRequestSchema,
        response: { 201: createdInvitationSchema, ...ERRORS },
      },
    },
    async (request, reply) => {
      const { email = null, plan = config.startingPlan } = request.body;
      const { invitation, link } = await invite(database, operatorOf(request), config.publicUrl, {
        email,
        plan,
      });
      const to = invitation.email;
      if (to !== null) signIn.later('invitation', () => signIn.mailer.send(invitationMail(to, link)));
      return reply.code(201).send({ invitation: presentInvitation(invitation), link });
    },
  );
  app.delete('/account/operator/invitations/:id', { schema: { response: DONE } }, async (request) => {
    await withdrawInvitation(database, operatorOf(request), readId(request));
    return { done: true };
  });
}

function operatorOf(request: FastifyRequest): Account {
  if (request.operator === null) throw new Error('this route has no operator hook');
  return request.operator;
}

async function presentAccountDetail(deps: HttpDeps, id: string): Promise<OperatorAccountDetailBody> {
  const account = await findAccountById(deps.database, id);
  if (account === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return { ...presentAccount(account), ...(await readAccountDetail(deps.database, id)) };
}

function presentAccount(account: Account): OperatorAccountBody {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    role: account.role,
    plan: account.plan,
    credits: { available: account.creditsAvailable, held: account.creditsHeld },
    emailVerified: account.emailVerified,
    suspended: account.suspended,
    createdAt: account.createdAt.toISOString(),
  };
}

function presentFailure({ completedAt, ...failure }: Failure): FailuresBody['failures'][number] {
  return { ...failure, completedAt: completedAt.toISOString() };
}

function presentInvitation(invitation: Invitation): InvitationBody {
  return {
    id: invitation.id,
    email: invitation.email,
    plan: invitation.plan,
    createdAt: invitation.createdAt.toISOString(),
    expiresAt: invitation.expiresAt.toISOString(),
    usedAt: invitation.usedAt?.toISOString() ?? null,
  };
}

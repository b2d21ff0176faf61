import type { FastifyInstance } from 'fastify';
import {
  type CreatedInvitationBody,
  createdInvitationSchema,
  type InvitationBody,
  type InvitationsBody,
  invitationsSchema,
  type NewInvitationRequest,
  newInvitationRequestSchema,
} from '@guise/contract/account/operator.ts';
import { doneSchema } from '@guise/contract/account/sign-in.ts';
import { invite, withdrawInvitation } from '../../../operator/invite.ts';
import { type Invitation, listInvitations } from '../../../sign-in/invitations.ts';
import { invitationMail } from '../../../sign-in/mails.ts';
import type { HttpDeps } from '../../common/deps.ts';
import { onePage, readId, readPage, readQuery } from '../../common/page-query.ts';
import { operatorOf } from './operator.ts';

export function addOperatorInvitationRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database, config, signIn } = deps;
  app.get(
    '/account/operator/invitations',
    { schema: { response: { 200: invitationsSchema } } },
    async (request): Promise<InvitationsBody> => {
      const page = readPage(readQuery(request, ['cursor', 'limit']));
      const { rows, next } = await onePage(page, (asked) => listInvitations(database, asked));
      return { invitations: rows.map(presentInvitation), next };
    },
  );
  app.post<{ Body: NewInvitationRequest }>(
    '/account/operator/invitations',
    {
      schema: {
        body: newInvitationRequestSchema,
        response: { 201: createdInvitationSchema },
      },
    },
    async (request, reply) => {
      const { email = null, plan = config.startingPlan } = request.body;
      const wanted = { email, plan };
      const { invitation, link } = await invite(database, operatorOf(request), config.publicUrl, wanted);
      const to = invitation.email;
      if (to !== null) signIn.later('invitation', () => signIn.mailer.send(invitationMail(to, link)));
      const made: CreatedInvitationBody = { invitation: presentInvitation(invitation), link };
      return reply.code(201).send(made);
    },
  );
  app.delete(
    '/account/operator/invitations/:id',
    { schema: { response: { 200: doneSchema } } },
    async (request) => {
      await withdrawInvitation(database, operatorOf(request), readId(request));
      return { done: true };
    },
  );
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

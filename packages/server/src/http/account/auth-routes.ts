import type { FastifyInstance } from 'fastify';
import {
  type ChangeEmailRequest,
  changeEmailRequestSchema,
  type ChangePasswordRequest,
  changePasswordRequestSchema,
  doneSchema,
  type EmailRequest,
  emailRequestSchema,
  MIN_PASSWORD_LENGTH,
  type ResetPasswordRequest,
  resetPasswordRequestSchema,
  type SessionsBody,
  sessionsSchema,
  type SignInConfig,
  signInConfigSchema,
  type SignInRequest,
  signInRequestSchema,
  type SignUpRequest,
  signUpRequestSchema,
  type TokenRequest,
  tokenRequestSchema,
  type VerifyEmailRequest,
  verifyEmailRequestSchema,
} from '@guise/contract/account/sign-in.ts';
import { AppError } from '@guise/contract/errors.ts';
import { confirmEmailChange, requestEmailChange } from '../../sign-in/change-email.ts';
import { changePassword, requestReset, setPasswordByLink } from '../../sign-in/passwords.ts';
import { endOtherSessions, endSession, listSessions } from '../../sign-in/session-list.ts';
import { signIn, signInByLink } from '../../sign-in/sign-in.ts';
import { resendVerification, signUp } from '../../sign-in/sign-up.ts';
import type { HttpDeps } from '../common/deps.ts';
import { sessionOf, setCookies, visitorOf } from './common/guard.ts';
import { readId } from '../common/page-query.ts';

/** Body of an answer that contains no other information. */
const DONE_BODY = { done: true } as const;

/** Schemas of answers whose body is `DONE_BODY`. */
const DONE_ANSWERS = { 200: doneSchema, 202: doneSchema };

/** Adds the routes for visitors who are not signed in. */
export function addAuthRoutes(app: FastifyInstance, deps: HttpDeps): void {
  addOpenRoutes(app, deps);
  addLinkRoutes(app, deps);
}

function addOpenRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get(
    '/account/auth/config',
    { schema: { response: { 200: signInConfigSchema } } },
    (): SignInConfig => ({
      signUp: deps.config.signUp,
      mail: deps.signIn.mailer.kind,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      publicVerify: deps.config.publicVerify,
    }),
  );
  app.post<{ Body: SignUpRequest }>(
    '/account/auth/sign-up',
    { schema: { body: signUpRequestSchema, response: DONE_ANSWERS } },
    async (request, reply) => {
      await signUp(deps.signIn, request.body, visitorOf(request));
      return reply.code(202).send(DONE_BODY);
    },
  );
  app.post<{ Body: SignInRequest }>(
    '/account/auth/sign-in',
    { schema: { body: signInRequestSchema, response: DONE_ANSWERS } },
    async (request, reply) => {
      setCookies(reply, await signIn(deps.signIn, request.body, visitorOf(request)));
      return DONE_BODY;
    },
  );
  app.post('/account/auth/sign-out', { schema: { response: DONE_ANSWERS } }, async (request, reply) => {
    setCookies(reply, await deps.signIn.sessions.close(visitorOf(request)));
    return DONE_BODY;
  });
  app.post<{ Body: EmailRequest }>(
    '/account/auth/resend-verification',
    { schema: { body: emailRequestSchema, response: DONE_ANSWERS } },
    async (request, reply) => {
      await resendVerification(deps.signIn, request.body.email, visitorOf(request));
      return reply.code(202).send(DONE_BODY);
    },
  );
  app.post<{ Body: EmailRequest }>(
    '/account/auth/request-reset',
    { schema: { body: emailRequestSchema, response: DONE_ANSWERS } },
    async (request, reply) => {
      await requestReset(deps.signIn, request.body.email, visitorOf(request));
      return reply.code(202).send(DONE_BODY);
    },
  );
}

function addLinkRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.post<{ Body: VerifyEmailRequest }>(
    '/account/auth/verify-email',
    { schema: { body: verifyEmailRequestSchema, response: DONE_ANSWERS } },
    async (request) => {
      await setPasswordByLink(deps.signIn, 'verify', request.body, visitorOf(request));
      return DONE_BODY;
    },
  );
  app.post<{ Body: TokenRequest }>(
    '/account/auth/sign-in-link',
    { schema: { body: tokenRequestSchema, response: DONE_ANSWERS } },
    async (request, reply) => {
      setCookies(reply, await signInByLink(deps.signIn, request.body.token, visitorOf(request)));
      return DONE_BODY;
    },
  );
  app.post<{ Body: ResetPasswordRequest }>(
    '/account/auth/reset-password',
    { schema: { body: resetPasswordRequestSchema, response: DONE_ANSWERS } },
    async (request) => {
      await setPasswordByLink(deps.signIn, 'reset', request.body, visitorOf(request));
      return DONE_BODY;
    },
  );
}

/** Adds the routes by which signed-in people change how they sign in. */
export function addOwnAuthRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.post<{ Body: ChangePasswordRequest }>(
    '/account/auth/change-password',
    { schema: { body: changePasswordRequestSchema, response: DONE_ANSWERS } },
    async (request) => {
      await changePassword(deps.signIn, sessionOf(request), request.body, visitorOf(request));
      return DONE_BODY;
    },
  );
  app.post<{ Body: ChangeEmailRequest }>(
    '/account/auth/change-email',
    { schema: { body: changeEmailRequestSchema, response: DONE_ANSWERS } },
    async (request, reply) => {
      await requestEmailChange(deps.signIn, sessionOf(request), request.body, visitorOf(request));
      return reply.code(202).send(DONE_BODY);
    },
  );
  app.post<{ Body: TokenRequest }>(
    '/account/auth/confirm-email',
    { schema: { body: tokenRequestSchema, response: DONE_ANSWERS } },
    async (request) => {
      await confirmEmailChange(deps.signIn, sessionOf(request), request.body.token, visitorOf(request));
      return DONE_BODY;
    },
  );
  app.get(
    '/account/auth/sessions',
    { schema: { response: { 200: sessionsSchema } } },
    async (request): Promise<SessionsBody> => {
      const own = sessionOf(request);
      const sessions = await listSessions(deps.database, own.accountId);
      return {
        sessions: sessions.map((session) => ({
          id: session.id,
          current: session.id === own.id,
          createdAt: session.createdAt.toISOString(),
          lastSeenAt: session.updatedAt.toISOString(),
          expiresAt: session.expiresAt.toISOString(),
          ipAddress: session.ipAddress,
          userAgent: session.userAgent,
        })),
      };
    },
  );
  app.delete('/account/auth/sessions/:id', { schema: { response: DONE_ANSWERS } }, async (request) => {
    if (!(await endSession(deps.database, sessionOf(request).accountId, readId(request)))) {
      throw new AppError('NOT_FOUND', 'There is no such session.');
    }
    return DONE_BODY;
  });
  app.delete('/account/auth/sessions', { schema: { response: DONE_ANSWERS } }, async (request) => {
    await endOtherSessions(deps.database, sessionOf(request));
    return DONE_BODY;
  });
}

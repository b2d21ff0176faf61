import { type Static, Type } from 'typebox';
import { SIGN_UP_MODES } from './sign-up-mode.ts';
import { closedObject, dateTime, orNull } from '../schema-parts.ts';

/**
 * Schemas of `/account/auth/...`: sign-up, sign-in and sessions. Routes that take an email address
 * give the same answer whether or not the address has an account.
 */

export const MIN_PASSWORD_LENGTH = 10;
/** Longest password, in characters. */
const MAX_PASSWORD_LENGTH = 128;

const email = Type.String({ minLength: 3, maxLength: 254 });
const newPassword = Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH });
const password = Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH });
const token = Type.String({ minLength: 1, maxLength: 2048 });
const personName = Type.String({ maxLength: 100 });

export const signInConfigSchema = closedObject({
  signUp: Type.Enum([...SIGN_UP_MODES]),
  /** `outbox`: mails are written to a folder, because no SMTP server is configured. */
  mail: Type.Enum(['smtp', 'outbox']),
  minPasswordLength: Type.Integer(),
  /** Whether `/verify` exists. */
  publicVerify: Type.Boolean(),
});

/** Password and name are sent later, with the mailed link; see verifyEmailRequestSchema. */
export const signUpRequestSchema = closedObject({
  email,
  /** Token from the link of an invitation. Required if signUp is `invite`. */
  invitation: Type.Optional(token),
});

export const signInRequestSchema = closedObject({ email, password });
export const emailRequestSchema = closedObject({ email });
export const tokenRequestSchema = closedObject({ token });
/** Whoever reads the mail of the address chooses the name and password. */
export const verifyEmailRequestSchema = closedObject({ token, newPassword, name: Type.Optional(personName) });
export const resetPasswordRequestSchema = closedObject({ token, newPassword });
export const changePasswordRequestSchema = closedObject(
  /** `currentPassword` may only be left out if the account has no password yet. */
  { currentPassword: Type.Optional(password), newPassword },
);
export const changeEmailRequestSchema = closedObject({ newEmail: email, password: Type.Optional(password) });

export const doneSchema = closedObject({ done: Type.Literal(true) });

const sessionSchema = closedObject({
  id: Type.String(),
  /** True for the session of this request. */
  current: Type.Boolean(),
  createdAt: dateTime,
  lastSeenAt: dateTime,
  expiresAt: dateTime,
  ipAddress: orNull(Type.String()),
  userAgent: orNull(Type.String()),
});
export const sessionsSchema = closedObject({ sessions: Type.Array(sessionSchema) });

export type SignInConfig = Static<typeof signInConfigSchema>;
export type SignUpRequest = Static<typeof signUpRequestSchema>;
export type SignInRequest = Static<typeof signInRequestSchema>;
export type EmailRequest = Static<typeof emailRequestSchema>;
export type TokenRequest = Static<typeof tokenRequestSchema>;
export type VerifyEmailRequest = Static<typeof verifyEmailRequestSchema>;
export type ResetPasswordRequest = Static<typeof resetPasswordRequestSchema>;
export type ChangePasswordRequest = Static<typeof changePasswordRequestSchema>;
export type ChangeEmailRequest = Static<typeof changeEmailRequestSchema>;
export type SessionsBody = Static<typeof sessionsSchema>;

import { type Static, Type } from 'typebox';
import { SIGN_UP_MODES } from './sign-up-mode.ts';

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
const closed = { additionalProperties: false };

export const signInConfigSchema = Type.Object(
  {
    signUp: Type.Enum([...SIGN_UP_MODES]),
    /** `outbox`: mails are written to a folder, because no SMTP server is configured. */
    mail: Type.Enum(['smtp', 'outbox']),
    minPasswordLength: Type.Integer(),
    /** Whether `/verify` exists. */
    publicVerify: Type.Boolean(),
  },
  closed,
);

/** Password and name are sent later, with the mailed link; see verifyEmailRequestSchema. */
export const signUpRequestSchema = Type.Object(
  {
    email,
    /** Token from the link of an invitation. Required if signUp is `invite`. */
    invitation: Type.Optional(token),
  },
  closed,
);

export const signInRequestSchema = Type.Object({ email, password }, closed);
export const emailRequestSchema = Type.Object({ email }, closed);
export const tokenRequestSchema = Type.Object({ token }, closed);
/** Whoever reads the mail of the address chooses the name and password. */
export const verifyEmailRequestSchema = Type.Object(
  { token, newPassword, name: Type.Optional(personName) },
  closed,
);
export const resetPasswordRequestSchema = Type.Object({ token, newPassword }, closed);
export const changePasswordRequestSchema = Type.Object(
  /** `currentPassword` may only be left out if the account has no password yet. */
  { currentPassword: Type.Optional(password), newPassword },
  closed,
);
export const changeEmailRequestSchema = Type.Object(
  { newEmail: email, password: Type.Optional(password) },
  closed,
);

export const doneSchema = Type.Object({ done: Type.Literal(true) }, closed);

const dateTime = Type.String({ format: 'date-time' });

const sessionSchema = Type.Object(
  {
    id: Type.String(),
    /** True for the session of this request. */
    current: Type.Boolean(),
    createdAt: dateTime,
    lastSeenAt: dateTime,
    expiresAt: dateTime,
    ipAddress: Type.Union([Type.String(), Type.Null()]),
    userAgent: Type.Union([Type.String(), Type.Null()]),
  },
  closed,
);
export const sessionsSchema = Type.Object({ sessions: Type.Array(sessionSchema) }, closed);

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

import { AppError } from '@guise/contract/errors.ts';

/** Longest address that mail can be sent to, in characters (RFC 5321). */
const MAX_LENGTH = 254;
/**
 * No spaces, control characters or quotes; a dot in the domain, unless it is this very machine (the
 * first owner's). Only delivery proves more.
 */
const EMAIL =
  /^[^\s\p{Cc}@"(),:;<>[\\\]]+@(localhost|[^\s\p{Cc}@."(),:;<>[\\\]]+(\.[^\s\p{Cc}@."(),:;<>[\\\]]+)+)$/u;

/**
 * The form an email is stored and compared in: trimmed, lower case.
 * @throws AppError INVALID_REQUEST
 */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_LENGTH || !EMAIL.test(email)) {
    throw new AppError('INVALID_REQUEST', 'email must be an email address of at most 254 characters.');
  }
  return email;
}

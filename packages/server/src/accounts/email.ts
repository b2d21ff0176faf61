import { AppError } from '@guise/contract/errors.ts';

/** Longest address that mail can be sent to, in characters (RFC 5321). */
const MAX_ADDRESS_LENGTH = 254;
/**
 * Form of an address: no spaces, control characters or quotes, and a dot in the domain, unless it
 * is this machine (the first owner's). Only delivery proves more.
 */
const EMAIL_PATTERN =
  /^[^\s\p{Cc}@"(),:;<>[\\\]]+@(localhost|[^\s\p{Cc}@."(),:;<>[\\\]]+(\.[^\s\p{Cc}@."(),:;<>[\\\]]+)+)$/u;

/**
 * Returns an email in the form in which it is stored and compared: trimmed, lower case.
 * @throws AppError INVALID_REQUEST
 */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_ADDRESS_LENGTH || !EMAIL_PATTERN.test(email)) {
    throw new AppError('INVALID_REQUEST', 'email must be an email address of at most 254 characters.');
  }
  return email;
}

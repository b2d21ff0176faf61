import { AppError } from '@guise/contract/errors.ts';

/** Longest valid email address, in characters (RFC 5321). */
const MAX_ADDRESS_LENGTH = 254;
/**
 * Form of an address: no spaces, control characters or quotes, and a dot in the domain, except for
 * localhost (the first owner's). Only a delivery can prove more.
 */
const EMAIL_PATTERN =
  /^[^\s\p{Cc}@"(),:;<>[\\\]]+@(localhost|[^\s\p{Cc}@."(),:;<>[\\\]]+(\.[^\s\p{Cc}@."(),:;<>[\\\]]+)+)$/u;

/**
 * Returns an email address in the form in which it is stored and compared: trimmed and in lower
 * case.
 * @throws AppError INVALID_REQUEST
 */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_ADDRESS_LENGTH || !EMAIL_PATTERN.test(email)) {
    throw new AppError('INVALID_REQUEST', 'email must be an email address of at most 254 characters.');
  }
  return email;
}

import { AppError } from '@guise/contract/errors.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/**
 * Refuses passwords that an attacker tries first: the account's address, the part before its `@`,
 * and the most common passwords, in upper or lower case.
 * @throws AppError INVALID_REQUEST
 */
export function refuseWeakPassword(newPassword: string, email: string): void {
  const guess = newPassword.trim().toLowerCase();
  if (guess === email || guess === email.slice(0, email.lastIndexOf('@'))) {
    throw new AppError(
      'INVALID_REQUEST',
      'newPassword must not be your email address, or the part before its @.',
    );
  }
  if (COMMON_PASSWORDS.has(guess)) {
    throw new AppError('INVALID_REQUEST', 'newPassword is one of the most common passwords; choose another.');
  }
}

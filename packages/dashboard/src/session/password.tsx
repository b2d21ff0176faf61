import '@mantine/core/styles/PasswordInput.css';
import type { SignInConfig } from '@guise/contract/account/sign-in.ts';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useLoad } from '../api/use-load.ts';

/** A required password field. Its toggle has a name for screen readers. */
function Password(props: PasswordInputProps) {
  return (
    <PasswordInput required visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }} {...props} />
  );
}

/** A field for a new password, with the configured minimum length. */
export function NewPassword({ label = 'New password' }: PasswordInputProps) {
  const least = useLoad<SignInConfig>('auth/config').data?.minPasswordLength ?? 10;
  return (
    <Password
      label={label}
      name="newPassword"
      autoComplete="new-password"
      minLength={least}
      description={`At least ${least} characters`}
    />
  );
}

/**
 * A field for the current password, for actions that must be protected from strangers at an
 * unlocked screen.
 */
export function CurrentPassword({ label = 'Password', name = 'password' }: PasswordInputProps) {
  return <Password label={label} name={name} autoComplete="current-password" />;
}

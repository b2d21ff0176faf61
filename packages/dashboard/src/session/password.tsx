import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { SignInConfig } from '@guise/contract/account/sign-in.ts';
import { useLoad } from '../api/use-load.ts';

/** A required password whose toggle has a name for screen readers. */
export function Password(props: PasswordInputProps) {
  return (
    <PasswordInput required visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }} {...props} />
  );
}

/** One to be chosen. */
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

/** Asked for again before something that a stranger at an open screen must not do. */
export function CurrentPassword({ label = 'Password', name = 'password' }: PasswordInputProps) {
  return <Password label={label} name={name} autoComplete="current-password" />;
}

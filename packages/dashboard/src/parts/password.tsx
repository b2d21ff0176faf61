import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A required password whose toggle has a name for screen readers. */
export function Password(props: PasswordInputProps) {
  return (
    <PasswordInput required visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }} {...props} />
  );
}

/** Asked for again before something that a stranger at an open screen must not do. */
export function CurrentPassword({ label = 'Password', name = 'password' }: PasswordInputProps) {
  return <Password label={label} name={name} autoComplete="current-password" />;
}

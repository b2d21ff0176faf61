import { PasswordInput, TextInput } from '@mantine/core';
import { account } from '../api/account.ts';
import { forgetToken } from '../api/ai-tasks.ts';
import { Form } from './form.tsx';

export function SignInForm({ email, onDone }: { email: string; onDone: () => Promise<void> }) {
  return (
    <Form
      submit="Sign in"
      onSubmit={async (fields) => {
        await account('POST', 'auth/sign-in', fields);
        forgetToken();
        await onDone();
      }}
    >
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        required
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
    </Form>
  );
}

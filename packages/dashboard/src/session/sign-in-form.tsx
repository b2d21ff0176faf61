import { TextInput } from '@mantine/core';
import { account } from '../api/account.ts';
import { forgetToken } from '../api/ai-tasks.ts';
import { Form } from '../ui/form.tsx';
import { CurrentPassword } from './password.tsx';

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
      <CurrentPassword />
    </Form>
  );
}

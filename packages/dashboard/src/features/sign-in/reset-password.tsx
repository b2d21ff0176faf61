import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { NewPassword } from '../../session/password.tsx';
import { useSession } from '../../session/session.tsx';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { Form } from '../../ui/form.tsx';
import { Link } from 'wouter';
import { secretOfLink } from '../../ui/navigation.ts';
import { enter } from './enter.ts';
import { MailSent } from './mail-sent.tsx';

export function Forgot() {
  const [isDone, setIsDone] = useState(false);
  if (isDone) return <MailSent isOneOfSeveral />;
  return (
    <Form
      submit="Send me a link"
      onSubmit={async (fields) => {
        await account('POST', 'auth/request-reset', fields);
        setIsDone(true);
      }}
    >
      <TextInput label="Email" name="email" type="email" autoComplete="username" required />
      <Anchor component={Link} underline="always" href="/sign-in">
        Back to sign in
      </Anchor>
    </Form>
  );
}

export function Reset() {
  const [token] = useState(() => secretOfLink('token'));
  const [isDone, setIsDone] = useState(false);
  const { reload } = useSession();
  if (isDone)
    return (
      <Stack>
        <Text role="status">Your password is set. Sign in with it.</Text>
        <SignInForm email="" onDone={() => enter(reload)} />
      </Stack>
    );
  if (token === null)
    return (
      <Text>
        This link is incomplete.{' '}
        <Anchor component={Link} underline="always" href="/forgot-password">
          Ask for a new one
        </Anchor>
      </Text>
    );
  return (
    <Form
      submit="Set the password"
      onSubmit={async (fields) => {
        await account('POST', 'auth/reset-password', { token, ...fields });
        setIsDone(true);
      }}
    >
      <NewPassword />
      <Anchor component={Link} underline="always" href="/forgot-password">
        Have another link sent
      </Anchor>
    </Form>
  );
}

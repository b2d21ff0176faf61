import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { NewPassword } from '../../session/password.tsx';
import { useSession } from '../../session/session.tsx';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { Form } from '../../ui/form.tsx';
import { secretOfLink } from '../../ui/navigation.ts';
import { enter } from './enter.ts';
import { MailSent } from './mail-sent.tsx';
import { TextLink } from '../../ui/text-link.tsx';

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
      <TextLink href="/sign-in">Back to sign in</TextLink>
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
        This link is incomplete. <TextLink href="/forgot-password">Ask for a new one</TextLink>
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
      <TextLink href="/forgot-password">Have another link sent</TextLink>
    </Form>
  );
}

import type { SignInConfig } from '@guise/contract/account/sign-in.ts';
import { Alert, Anchor, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { useLoad } from '../../api/use-load.ts';
import { NewPassword } from '../../session/password.tsx';
import { useSession } from '../../session/session.tsx';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { Form } from '../../ui/form.tsx';
import { secretOfLink } from '../../ui/navigation.ts';
import { enter } from './enter.ts';
import { MailSent } from './mail-sent.tsx';
import { TextLink } from '../../ui/text-link.tsx';

export function SignUp() {
  const [invitation] = useState(() => secretOfLink('invitation'));
  const [isDone, setIsDone] = useState(false);
  const config = useLoad<SignInConfig>('auth/config');
  if (isDone) return <MailSent isSure />;
  return (
    <Form
      submit="Sign up"
      onSubmit={async (fields) => {
        await account('POST', 'auth/sign-up', { ...fields, ...(invitation === null ? {} : { invitation }) });
        setIsDone(true);
      }}
    >
      {config.data !== null && config.data.signUp !== 'open' && invitation === null && (
        <Alert color="yellow">Sign-up needs an invitation here. Ask the operator for a link.</Alert>
      )}
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        description="We mail you a link, where you choose your password"
        required
      />
      <TextLink href="/sign-in">I have an account</TextLink>
    </Form>
  );
}

export function Verify() {
  const [token, setToken] = useState(() => secretOfLink('token'));
  const [isDone, setIsDone] = useState(false);
  const [isSent, setIsSent] = useState(false);
  const { reload } = useSession();
  if (isDone)
    return (
      <Stack>
        <Text role="status">Your address is verified. Sign in with your password.</Text>
        <SignInForm email="" onDone={() => enter(reload)} />
      </Stack>
    );
  if (token !== null)
    return (
      <Form
        submit="Verify my address"
        onSubmit={async (fields) => {
          await account('POST', 'auth/verify-email', { token, ...fields });
          setIsDone(true);
        }}
      >
        <TextInput label="Name (optional)" name="name" autoComplete="name" maxLength={100} />
        <NewPassword label="Password" />
        <Anchor component="button" type="button" ta="start" underline="always" onClick={() => setToken(null)}>
          Have another link sent
        </Anchor>
      </Form>
    );
  if (isSent) return <MailSent />;
  return (
    <Form
      submit="Send the link again"
      onSubmit={async (fields) => {
        await account('POST', 'auth/resend-verification', fields);
        setIsSent(true);
      }}
    >
      <Text>Open the link of the mail we sent you, or have it sent again.</Text>
      <TextInput label="Email" name="email" type="email" autoComplete="username" required />
    </Form>
  );
}

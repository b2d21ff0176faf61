import type { SignInConfig } from '@guise/contract/account/sign-in.ts';
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { useLoad } from '../../api/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { Form } from '../../ui/form.tsx';
import { secretOfLink } from '../../ui/navigation.ts';
import { enter } from './enter.ts';
import { TextLink } from '../../ui/text-link.tsx';

export function SignIn() {
  const { reload } = useSession();
  const config = useLoad<SignInConfig>('auth/config');
  return (
    <Stack>
      <SignInForm email="" onDone={() => enter(reload)} />
      <Group justify="space-between" mih={24}>
        <TextLink href="/forgot-password">Forgot your password?</TextLink>
        {config.data?.signUp === 'open' && <TextLink href="/sign-up">Sign up</TextLink>}
      </Group>
      {config.data?.publicVerify && <TextLink href="/verify">Verify a file without an account</TextLink>}
    </Stack>
  );
}

/** Signs in with the link that `guise account link` prints. */
export function SignInLink() {
  const [token] = useState(() => secretOfLink('token'));
  const { reload } = useSession();
  if (token === null)
    return (
      <Text>
        This link is incomplete. <TextLink href="/sign-in">Sign in with your password</TextLink>
      </Text>
    );
  return (
    <Form
      submit="Go in"
      onSubmit={async () => {
        await account('POST', 'auth/sign-in-link', { token });
        await enter(reload);
      }}
    >
      <Text>This link signs you in once. Set a password under Settings to come back.</Text>
      <TextLink href="/sign-in">Sign in with your password</TextLink>
    </Form>
  );
}

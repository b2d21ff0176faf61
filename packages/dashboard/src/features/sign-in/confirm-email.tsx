import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { useSession } from '../../session/session.tsx';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { Form } from '../../ui/form.tsx';
import { secretOfLink } from '../../ui/navigation.ts';
import { TextLink } from '../../ui/text-link.tsx';

export function ConfirmChange() {
  const [token] = useState(() => secretOfLink('token'));
  const [isDone, setIsDone] = useState(false);
  const { me, reload } = useSession();
  if (isDone)
    return (
      <Text role="status">
        Your address is changed. <TextLink href="/">Go on</TextLink>
      </Text>
    );
  if (token === null) return <Text>This link is incomplete. Open it from the email again.</Text>;
  if (me === undefined) return null;
  if (me === null)
    return (
      <Stack>
        <Text>Sign in to the account that gets this address.</Text>
        <SignInForm email="" onDone={reload} />
      </Stack>
    );
  return (
    <Form
      submit="Confirm the new address"
      onSubmit={async () => {
        await account('POST', 'auth/confirm-email', { token });
        setIsDone(true);
        await reload();
      }}
    >
      <Text>The account of {me.email} gets the address that this mail was sent to.</Text>
    </Form>
  );
}

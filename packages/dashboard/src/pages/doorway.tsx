import { Alert, Anchor, Card, Center, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SignInConfig } from '@guise/contract/account/sign-in.ts';
import { account } from '../api/account.ts';
import { forgetToken } from '../api/ai-tasks.ts';
import { useLoad } from '../api/use-load.ts';
import { goTo, Link, takeFromFragment } from '../app/router.tsx';
import { useSession } from '../app/session.tsx';
import { Form } from '../parts/form.tsx';
import { NewPassword } from '../parts/password.tsx';
import { SignInForm } from '../parts/sign-in-form.tsx';

const DOORS: Record<string, { title: string; body: () => ReactNode }> = {
  '/sign-in': { title: 'Sign in', body: SignIn },
  '/sign-up': { title: 'Sign up', body: SignUp },
  '/forgot-password': { title: 'Forgot your password?', body: Forgot },
  '/verify-email': { title: 'Verify your email address', body: Verify },
  '/confirm-email': { title: 'Confirm your new email address', body: ConfirmChange },
  '/reset-password': { title: 'Choose a new password', body: Reset },
  '/sign-in/link': { title: 'Welcome to guise', body: SignInLink },
};

export function isDoorway(path: string): boolean {
  return path in DOORS;
}

/** The pages before one is signed in. */
export function Doorway({ path }: { path: string }) {
  const { title, body: Body } = DOORS[path]!;
  document.title = `${title} - guise`;
  return (
    <Center component="main" mih="100dvh" p="md">
      <Card withBorder w={420} maw="100%" padding="xl">
        <Group gap="xs" mb="md">
          <img src="/icon.svg" alt="" width={32} height={32} />
          <Text fw={600}>guise</Text>
        </Group>
        <Title order={1} size="h3" mb="md">
          {title}
        </Title>
        <Body />
      </Card>
    </Center>
  );
}

async function enter(reload: () => Promise<void>): Promise<void> {
  forgetToken();
  await reload();
  if (isDoorway(location.pathname)) goTo('/');
}

function SignIn() {
  const { reload } = useSession();
  const config = useLoad<SignInConfig>('auth/config');
  return (
    <Stack>
      <SignInForm email="" onDone={() => enter(reload)} />
      <Group justify="space-between" mih={24}>
        <Anchor component={Link} underline="always" href="/forgot-password">
          Forgot your password?
        </Anchor>
        {config.data?.signUp === 'open' && (
          <Anchor component={Link} underline="always" href="/sign-up">
            Sign up
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}

function SignUp() {
  const [invitation] = useState(() => takeFromFragment('invitation'));
  const [isDone, setIsDone] = useState(false);
  const config = useLoad<SignInConfig>('auth/config');
  if (isDone) return <MailSent where={config.data?.mail} />;
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
      <Anchor component={Link} underline="always" href="/sign-in">
        I have an account
      </Anchor>
    </Form>
  );
}

function MailSent({ where }: { where: 'smtp' | 'outbox' | undefined }) {
  return (
    <Alert role="status" title="Look into your mail">
      We sent you a link; open it to go on.
      {where === 'outbox' &&
        ' This service has no mail server: the operator finds the mail in the folder outbox/ of its data directory.'}
    </Alert>
  );
}

function Forgot() {
  const [isDone, setIsDone] = useState(false);
  if (isDone) return <MailSent where={undefined} />;
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

function Verify() {
  const [token] = useState(() => takeFromFragment('token'));
  const [isDone, setIsDone] = useState(false);
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
        <TextInput label="Name (if you like)" name="name" autoComplete="name" maxLength={100} />
        <NewPassword label="Password" />
      </Form>
    );
  return (
    <Form
      submit="Send the link again"
      onSubmit={(fields) => account('POST', 'auth/resend-verification', fields)}
    >
      <Text>Open the link of the mail we sent you, or have it sent again.</Text>
      <TextInput label="Email" name="email" type="email" autoComplete="username" required />
    </Form>
  );
}

function ConfirmChange() {
  const [token] = useState(() => takeFromFragment('token'));
  const [isDone, setIsDone] = useState(false);
  const { me, reload } = useSession();
  if (isDone)
    return (
      <Text role="status">
        Your address is changed.{' '}
        <Anchor component={Link} underline="always" href="/">
          Go on
        </Anchor>
      </Text>
    );
  if (token === null) return <Text>This link is not whole. Open it from the mail once more.</Text>;
  if (me === undefined) return null;
  if (me === null)
    return (
      <Stack>
        <Text>Sign in to the account that is to have this address.</Text>
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

function Reset() {
  const [token] = useState(() => takeFromFragment('token'));
  if (token === null)
    return (
      <Text>
        This link is not whole.{' '}
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
        goTo('/sign-in');
      }}
    >
      <NewPassword />
    </Form>
  );
}

function SignInLink() {
  const [token] = useState(() => takeFromFragment('token'));
  const { reload } = useSession();
  if (token === null)
    return (
      <Text>
        This link is not whole.{' '}
        <Anchor component={Link} underline="always" href="/sign-in">
          Sign in with your password
        </Anchor>
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
      <Text>This link signs you in once. Set a password under Account to come back.</Text>
    </Form>
  );
}

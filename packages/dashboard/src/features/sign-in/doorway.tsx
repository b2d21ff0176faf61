import { Card, Center, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import { ConfirmChange } from './confirm-email.tsx';
import type { DoorPath } from './door-paths.ts';
import { Forgot, Reset } from './reset-password.tsx';
import { SignIn, SignInLink } from './sign-in.tsx';
import { SignUp, Verify } from './sign-up.tsx';

/** Titles and contents of the pages for visitors who are not signed in. */
const DOORS: Record<DoorPath, { title: string; body: () => ReactNode }> = {
  '/sign-in': { title: 'Sign in', body: SignIn },
  '/sign-up': { title: 'Sign up', body: SignUp },
  '/forgot-password': { title: 'Forgot your password?', body: Forgot },
  '/verify-email': { title: 'Verify your email address', body: Verify },
  '/confirm-email': { title: 'Confirm your new email address', body: ConfirmChange },
  '/reset-password': { title: 'Choose a new password', body: Reset },
  '/sign-in/link': { title: 'Welcome to guise', body: SignInLink },
};

/** Shows a page for visitors who are not signed in. */
export function Doorway({ path }: { path: DoorPath }) {
  const { title, body: Body } = DOORS[path];
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
        <PartBoundary>
          <Body />
        </PartBoundary>
      </Card>
    </Center>
  );
}

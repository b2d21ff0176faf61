import { Anchor, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Verify } from './verify.tsx';

/** The page for visitors who are not signed in. */
export function VisitorVerify(): ReactNode {
  return (
    <div className="visitor">
      <Group component="header" justify="space-between" mb="xl">
        <Group gap={8} wrap="nowrap">
          <img src="/icon.svg" alt="" width={24} height={24} />
          <Text fw={600} size="lg">
            guise
          </Text>
        </Group>
        <Anchor component={Link} underline="always" href="/sign-in">
          Sign in
        </Anchor>
      </Group>
      <main>
        <Verify />
      </main>
    </div>
  );
}

import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface VisitorFrameProps {
  /** What is at the right of the name of the service. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of a page for visitors who are not signed in. */
export function VisitorFrame({ aside, children }: VisitorFrameProps) {
  return (
    <div className="visitor">
      <Group component="header" justify="space-between" mb="xl">
        <Group gap={8} wrap="nowrap">
          <img src="/icon.svg" alt="" width={24} height={24} />
          <Text fw={600} size="lg">
            guise
          </Text>
        </Group>
        {aside}
      </Group>
      <main>{children}</main>
    </div>
  );
}

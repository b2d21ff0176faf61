import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

interface FailureProps {
  readonly title?: string;
  /** Space below it. */
  readonly mb?: 'xs' | 'sm';
  /** What went wrong. Nothing is shown if it is null. */
  readonly children: ReactNode;
}

/** Says what went wrong, also to screen readers. */
export function Failure({ children, ...rest }: FailureProps) {
  if (children === null) return null;
  return (
    <Alert color="red" role="alert" {...rest}>
      {children}
    </Alert>
  );
}

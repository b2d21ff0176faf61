import { Alert } from '@mantine/core';

/** Explains a pause, and that the user need not do anything. */
export function WaitNote({ until }: { until: Date | null }) {
  if (until === null) return null;
  return (
    <Alert color="yellow" role="status" title="One moment">
      That were many requests in one minute. This goes on by itself at {until.toLocaleTimeString()}.
    </Alert>
  );
}

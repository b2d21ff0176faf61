import { Alert } from '@mantine/core';

/** Says why nothing happens for a moment, and that nothing needs to be done about it. */
export function WaitNote({ until }: { until: Date | null }) {
  if (until === null) return null;
  return (
    <Alert color="yellow" role="status" title="One moment">
      That were many requests in one minute. This goes on by itself at {until.toLocaleTimeString()}.
    </Alert>
  );
}

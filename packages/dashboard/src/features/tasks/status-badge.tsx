import { Badge } from '@mantine/core';

/** A task's status; its colour says the same for those who see it. */
export function StatusBadge({ status }: { status: string }) {
  const color = { COMPLETED: 'pine', FAILED: 'red', CANCELLED: 'gray' }[status] ?? 'blue';
  return (
    <Badge
      variant="outline"
      color={`light-dark(var(--mantine-color-${color}-9), var(--mantine-color-${color}-3))`}
    >
      {status.toLowerCase()}
    </Badge>
  );
}

import type { TaskStatus } from '@guise/contract/task.ts';
import { Badge } from '@mantine/core';

/** Colours of the badge by status. */
const STATUS_COLORS: Record<TaskStatus, string> = {
  PENDING: 'blue',
  PROCESSING: 'blue',
  COMPLETED: 'pine',
  FAILED: 'red',
  CANCELLED: 'gray',
};

/** Shows a task's status as text. The colour shows the same information. */
export function StatusBadge({ status }: { status: TaskStatus }) {
  const color = STATUS_COLORS[status];
  return (
    <Badge
      variant="outline"
      color={`light-dark(var(--mantine-color-${color}-9), var(--mantine-color-${color}-3))`}
    >
      {status.toLowerCase()}
    </Badge>
  );
}

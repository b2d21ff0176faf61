import type { TaskSummaryBody } from '@guise/contract/account/own.ts';
import { Group, Text, UnstyledButton } from '@mantine/core';
import { useNewestTasks } from '../../api/use-newest-tasks.ts';
import { TaskThumb } from '../../ui/task-thumb.tsx';
import { workflowName } from '../../workflows/workflows.ts';

/** Number of tasks that the strip shows. */
const SHOWN_TASKS = 8;

interface RecentProps {
  /** Id of the task that is shown in large. */
  readonly shown: string | null;
  readonly onShow: (id: string) => void;
}

/** The account's last swaps as small pictures. A click shows one in large. */
export function Recent({ shown, onShow }: RecentProps) {
  const tasks = useNewestTasks(SHOWN_TASKS);
  if (tasks.length === 0) return null;
  return (
    <section aria-label="Last swaps">
      <Text size="sm" c="dimmed" mb={6}>
        Last swaps
      </Text>
      <Group gap={8}>
        {tasks.map((task) => (
          <Recently key={task.id} task={task} isShown={task.id === shown} onShow={onShow} />
        ))}
      </Group>
    </section>
  );
}

interface RecentlyProps {
  readonly task: TaskSummaryBody;
  readonly isShown: boolean;
  readonly onShow: (id: string) => void;
}

function Recently({ task, isShown, onShow }: RecentlyProps) {
  const name = task.fileName ?? workflowName(task.taskType);
  return (
    <UnstyledButton
      className="pick"
      aria-pressed={isShown}
      aria-label={`Show ${name}, ${task.status.toLowerCase()}`}
      title={name}
      onClick={() => onShow(task.id)}
    >
      <TaskThumb task={task} />
    </UnstyledButton>
  );
}

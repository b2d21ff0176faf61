import type { Warning } from '@guise/client';
import type { TaskDetailBody } from '@guise/contract/account/own.ts';
import { isTerminal, type TaskStatus } from '@guise/contract/task.ts';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { useTask } from '../../api/use-task.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatTime } from '../../ui/format.ts';
import { Section, Show } from '../../ui/page.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { workflowName } from '../../workflows/workflows.ts';
import { Done } from '../swap/done.tsx';
import { useRuns } from '../swap/state/runs.ts';
import { Provenance } from './provenance.tsx';
import { Rerun } from './rerun.tsx';
import { Failure } from '../../ui/failure.tsx';

/** Shows a task: its result first, then what can be done, and the numbers last. */
export function TaskDetail({ id }: { id: string }) {
  const task = useTask(id);
  return <Show of={task}>{(data) => <Detail task={data} reload={task.reload} />}</Show>;
}

function Detail({ task, reload }: { task: TaskDetailBody; reload: () => void }) {
  const [error, setError] = useState<string | null>(null);
  const run = useRuns().find(({ taskId }) => taskId === task.id);
  const isOpen = !isTerminal(task.status);
  const cancel = (): void => {
    account('DELETE', `tasks/${task.id}`).then(reload, (failure: Error) => setError(failure.message));
  };
  return (
    <Stack>
      <div>
        <Text fw={600} className="anywhere">
          {task.fileName ?? workflowName(task.taskType)}
        </Text>
        <Group gap="xs">
          <StatusDot task={task} />
          <Text size="sm" c="dimmed">
            {workflowName(task.taskType)}, {task.costCredits} credits, {formatTime(task.createdAt)}
          </Text>
          {isOpen && (
            <Button variant="default" size="xs" onClick={cancel}>
              Cancel
            </Button>
          )}
        </Group>
      </div>
      <Failure>{error}</Failure>
      {task.error !== null && (
        <Alert color="red" title={task.error.code}>
          {task.error.message} Nothing was charged.
        </Alert>
      )}
      {warningsOf(task).map(({ field, code, message }) => (
        <Alert key={`${field} ${code}`} color="yellow">
          {message}
        </Alert>
      ))}
      {isOpen && <Progress value={task.progress * 100} aria-label="Progress" />}
      {task.outputs.length > 0 ? (
        <Done task={task} run={run} reload={reload} />
      ) : (
        task.error === null && <Text>{whyNone(task.status)}</Text>
      )}
      {task.outputs[0] !== undefined && <Provenance output={task.outputs[0]} />}
      {!isOpen && (
        <Section title="Run again">
          <Rerun task={task} />
        </Section>
      )}
      <Section title="Times">
        <Text>
          Waited {seconds(task.timings.queuedSeconds)}, worked {seconds(task.timings.workedSeconds)}.
        </Text>
      </Section>
      <Section title="Parameters">
        <Facts name="Parameters" of={task.parameters} />
      </Section>
      {task.receipt !== null && (
        <Section title="Receipt">
          <Facts name="Receipt" of={withoutWarnings(task.receipt)} />
        </Section>
      )}
      <CopyText name="task id" text={task.id} />
    </Stack>
  );
}

/** Returns the receipt's warnings about the faces. */
function warningsOf({ receipt }: TaskDetailBody): readonly Warning[] {
  return (receipt?.warnings as readonly Warning[] | undefined) ?? [];
}

function withoutWarnings(receipt: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(receipt).filter(([name]) => name !== 'warnings'));
}

function seconds(value: number | null): string {
  return value === null ? '-' : `${value.toFixed(1)} s`;
}

function whyNone(status: TaskStatus): string {
  if (!isTerminal(status)) return 'There is no output yet.';
  if (status === 'FAILED') return 'There is no output: the task failed, and nothing was charged.';
  const kept = 'outputs are kept for 24 hours.';
  return status === 'CANCELLED'
    ? `There is no output, or it was deleted: ${kept}`
    : `The output was deleted: ${kept}`;
}

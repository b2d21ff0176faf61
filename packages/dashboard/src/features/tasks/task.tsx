import type { TaskDetailBody } from '@guise/contract/account/own.ts';
import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import { isTerminal, type TaskStatus } from '@guise/contract/task.ts';
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { useLoad } from '../../api/use-load.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Page, Section, Show } from '../../ui/page.tsx';
import { inWords } from '../../workflows/in-words.ts';
import { ALL_WORKFLOWS } from '../../workflows/workflows.ts';
import { Output } from './output.tsx';
import { Rerun } from './rerun.tsx';
import { StatusBadge } from './status-badge.tsx';

export function TaskPage({ id }: { id: string }) {
  const task = useLoad<TaskDetailBody>(`tasks/${id}`, 5000);
  return (
    <Page title="Task">
      <Show of={task}>{(data) => <Detail task={data} reload={task.reload} />}</Show>
    </Page>
  );
}

function Detail({ task, reload }: { task: TaskDetailBody; reload: () => void }) {
  const [error, setError] = useState<string | null>(null);
  const workflow = ALL_WORKFLOWS.find(({ taskType }) => taskType === task.taskType);
  const isOpen = !isTerminal(task.status);
  const cancel = (): void => {
    account('DELETE', `tasks/${task.id}`).then(reload, (failure: Error) => setError(failure.message));
  };
  return (
    <Stack>
      <Group>
        <StatusBadge status={task.status} />
        <Text>
          {workflow?.name ?? task.taskType}, {task.costCredits} credits, created {formatTime(task.createdAt)}
        </Text>
        {isOpen && (
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
        )}
      </Group>
      {error !== null && (
        <Alert color="red" role="alert">
          {error}
        </Alert>
      )}
      {task.error !== null && (
        <Alert color="red" title={task.error.code}>
          {task.error.message}
        </Alert>
      )}
      {warningsOf(task).map(({ field, code, message }) => (
        <Alert key={`${field} ${code}`} color="yellow">
          {workflow === undefined ? message : inWords(workflow, message, [])}
        </Alert>
      ))}
      <Section title="Outputs">
        {task.outputs.length === 0 && <Text>{whyNone(task.status)}</Text>}
        {task.outputs.map((output) => (
          <Output key={output.index} output={output} />
        ))}
        {task.failures.map(({ index, code, message }) => (
          <Text key={index}>
            Output {index + 1} failed: {message} ({code})
          </Text>
        ))}
      </Section>
      {!isOpen && (
        <Section title="Run again">
          <Rerun task={task} />
          <Anchor
            component={Link}
            underline="always"
            display="inline-block"
            mt="sm"
            href={workflow?.href ?? '/'}
          >
            Swap with other files
          </Anchor>
        </Section>
      )}
      <Section title="Timings">
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

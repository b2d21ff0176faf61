import type { TasksBody } from '@guise/contract/account/own.ts';
import { TASK_STATUSES } from '@guise/contract/task.ts';
import { Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { formatTime } from '../../ui/format.ts';
import { ListWithDetail } from '../../ui/list-with-detail.tsx';
import { useOutputLink } from '../../ui/output-link.ts';
import { Page } from '../../ui/page.tsx';
import { usePages } from '../../ui/paging.tsx';
import { ALL_WORKFLOWS, workflowName } from '../../workflows/workflows.ts';
import { StatusBadge } from './status-badge.tsx';

export function Tasks() {
  const [filter, setFilter] = useState<Record<string, string>>({});
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  const tasks = usePages<TasksBody>(`tasks?${query}`, 10_000);
  const pick = (name: string) => (value: string) => setFilter({ ...filter, [name]: value });
  return (
    <Page title="Tasks">
      <Group>
        <NativeSelect
          label="Workflow"
          w={150}
          onChange={(event) => pick('type')(event.currentTarget.value)}
          data={[
            { value: '', label: 'All' },
            ...ALL_WORKFLOWS.map(({ taskType, name }) => ({ value: taskType, label: name })),
          ]}
        />
        <NativeSelect
          label="Status"
          w={150}
          onChange={(event) => pick('status')(event.currentTarget.value)}
          data={[{ value: '', label: 'All' }, ...TASK_STATUSES]}
        />
        <NativeSelect
          label="Interface"
          w={150}
          onChange={(event) => pick('interface')(event.currentTarget.value)}
          data={[{ value: '', label: 'Both' }, 'ai-tasks', 'v1']}
        />
      </Group>
      <ListWithDetail
        name="Tasks"
        empty="No task here. Swap a face, or choose other filters."
        of={tasks}
        head={['Output', 'Workflow', 'Status', 'Credits', 'Created']}
        openHead="Details"
        rowsOf={({ tasks }) =>
          tasks.map((task) => ({
            key: task.id,
            cells: [
              task.preview === null ? <span className="thumb" /> : <Thumb of={task.preview} />,
              workflowName(task.taskType),
              <StatusBadge status={task.status} />,
              task.costCredits,
              formatTime(task.createdAt),
            ],
            open: { label: `Open task ${task.id}`, href: `/tasks/${task.id}` },
          }))
        }
      />
    </Page>
  );
}

type Preview = NonNullable<TasksBody['tasks'][number]['preview']>;

function Thumb({ of }: { of: Preview }) {
  const { link, gone } = useOutputLink(of);
  if (link === null) return gone;
  return of.contentType.startsWith('image/') ? (
    <img className="thumb" src={link} alt="" loading="lazy" />
  ) : (
    <video className="thumb" src={link} preload="metadata" muted playsInline aria-hidden tabIndex={-1} />
  );
}

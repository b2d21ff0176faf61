import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Drawer.css';
import type { TasksBody, TaskSummaryBody } from '@guise/contract/account/own.ts';
import { isTerminal, TASK_STATUSES } from '@guise/contract/task.ts';
import { Button, Checkbox, Drawer, Group, NativeSelect, Text } from '@mantine/core';
import { DownloadIcon, TrashIcon } from '@primer/octicons-react';
import { useCallback, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { account } from '../../api/account.ts';
import { useTaskNews } from '../../api/task-feed.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { formatAge, formatTime } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { ShowPages, usePages } from '../../ui/paging.tsx';
import { WORKFLOW_CHOICES, workflowName } from '../../workflows/workflows.ts';
import { downloadAll } from './download-all.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { TaskDetail } from './task.tsx';
import { TaskThumb } from '../../ui/task-thumb.tsx';
import { Failure } from '../../ui/failure.tsx';

/** The filters, with the names of their parameters in the URL. */
const FILTERS = [
  { name: 'type', label: 'Workflow', choices: [{ value: '', label: 'All' }, ...WORKFLOW_CHOICES] },
  {
    name: 'status',
    label: 'Status',
    choices: [
      { value: '', label: 'All' },
      ...TASK_STATUSES.map((value) => ({ value, label: capitalised(value) })),
    ],
  },
  {
    name: 'interface',
    label: 'Interface',
    choices: [
      { value: '', label: 'Both' },
      { value: 'ai-tasks', label: '/api/ai-tasks' },
      { value: 'v1', label: '/v1' },
    ],
  },
] as const;

/** Interval at which the list is read, because the stream does not tell of tasks of /v1. */
const POLL_MS = 10_000;

/** Lists the account's tasks. The task `openId` is shown in a drawer. */
export function Tasks({ openId }: { openId: string | null }) {
  const [, navigate] = useLocation();
  const [search, setSearch] = useSearchParams();
  const query = new URLSearchParams(
    FILTERS.flatMap(({ name }) => (search.get(name) ? [[name, search.get(name)!]] : [])),
  );
  const tasks = usePages<TasksBody>(`tasks?${query}`, POLL_MS);
  useTaskNews(tasks.reload);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const rows = tasks.data?.tasks ?? [];
  const picked = rows.filter(({ id }) => chosen.has(id));
  const withFiles = picked.filter(({ preview }) => preview?.url !== undefined);
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      await work();
      setChosen(new Set());
    } catch (failure) {
      setError((failure as Error).message);
    } finally {
      setIsBusy(false);
      tasks.reload();
    }
  };
  const toggle = useCallback((id: string, isOn: boolean): void => {
    setChosen((before) => new Set(isOn ? [...before, id] : [...before].filter((each) => each !== id)));
  }, []);
  const suffix = search.size > 0 ? `?${search}` : '';
  return (
    <Page title="Tasks">
      <Group align="end">
        {FILTERS.map(({ name, label, choices }) => (
          <NativeSelect
            key={name}
            label={label}
            w={150}
            data={[...choices]}
            value={search.get(name) ?? ''}
            onChange={({ currentTarget: { value } }) =>
              setSearch((before) => {
                const next = new URLSearchParams(before);
                if (value === '') next.delete(name);
                else next.set(name, value);
                return next;
              })
            }
          />
        ))}
        {withFiles.length > 0 && (
          <>
            <Button
              variant="default"
              loading={isBusy}
              leftSection={<DownloadIcon size={16} />}
              onClick={() => void act(() => downloadAll(withFiles))}
            >
              Download {withFiles.length} as ZIP
            </Button>
            <ConfirmButton
              verb="Delete"
              what={`the files of ${withFiles.length} tasks`}
              size="sm"
              isBusy={isBusy}
              icon={<TrashIcon size={16} />}
              onConfirm={() =>
                void act(() => Promise.all(withFiles.map(({ id }) => account('DELETE', `tasks/${id}/files`))))
              }
            />
          </>
        )}
      </Group>
      <Failure>{error}</Failure>
      <ShowPages of={tasks}>
        {(data) =>
          data.tasks.length === 0 ? (
            <Text>No task here. Swap a face, or choose other filters.</Text>
          ) : (
            <section className="rows" aria-label="Tasks">
              {data.tasks.map((task) => (
                <Row
                  key={task.id}
                  task={task}
                  isChosen={chosen.has(task.id)}
                  onToggle={toggle}
                  onOpen={() => navigate(`/tasks/${task.id}${suffix}`)}
                />
              ))}
            </section>
          )
        }
      </ShowPages>
      <Drawer
        opened={openId !== null}
        onClose={() => navigate(`/tasks${suffix}`)}
        position="right"
        size="min(640px, 100%)"
        title="Task"
        lockScroll={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {openId !== null && <TaskDetail key={openId} id={openId} />}
      </Drawer>
    </Page>
  );
}

interface RowProps {
  readonly task: TaskSummaryBody;
  readonly isChosen: boolean;
  readonly onToggle: (id: string, isOn: boolean) => void;
  readonly onOpen: () => void;
}

function Row({ task, isChosen, onToggle, onOpen }: RowProps) {
  const name = task.fileName ?? workflowName(task.taskType);
  return (
    <div className="row" data-chosen={isChosen || undefined}>
      <Checkbox
        aria-label={`Choose ${name}`}
        checked={isChosen}
        onChange={({ currentTarget }) => onToggle(task.id, currentTarget.checked)}
      />
      <button type="button" onClick={onOpen}>
        <span className="thumb">
          <TaskThumb task={task} />
        </span>
        <span className="name">
          <span>{name}</span>
          <small>
            {workflowName(task.taskType)}
            {task.interface === 'v1' && ', /v1'}
            {task.error !== null && `, ${task.error.message}`}
          </small>
        </span>
        <StatusDot task={task} />
        <span className="credits">{isTerminal(task.status) ? `${task.costCredits} credits` : ''}</span>
        <time dateTime={task.createdAt} title={formatTime(task.createdAt)}>
          {formatAge(task.createdAt, Date.now())}
        </time>
      </button>
    </div>
  );
}

function capitalised(text: string): string {
  return text[0]! + text.slice(1).toLowerCase();
}

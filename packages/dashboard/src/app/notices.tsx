import '@mantine/notifications/styles.css';
import { isTerminal } from '@guise/contract/task.ts';
import { Notifications, notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { subscribe } from '../api/task-feed.ts';
import { useRuns } from '../features/swap/state/runs.ts';
import { swapKindOf } from '../features/swap/swap-paths.ts';
import { TextLink } from '../ui/text-link.tsx';

/** Says when a swap of this tab has ended while another page is open. */
export function Notices() {
  const runs = useRuns();
  const [path] = useLocation();
  const isSeen = swapKindOf(path) !== undefined;
  const told = useRef(new Set<string>());
  useEffect(
    () =>
      subscribe((task) => {
        if (task === null || !isTerminal(task.status) || told.current.has(task.id)) return;
        if (!runs.some(({ taskId }) => taskId === task.id)) return;
        told.current.add(task.id);
        if (isSeen || task.status === 'CANCELLED') return;
        const isDone = task.status === 'COMPLETED';
        notifications.show({
          color: isDone ? 'pine' : 'red',
          title: isDone ? 'The swap is done' : 'The swap has failed',
          message: (
            <TextLink href={`/tasks/${task.id}`} size="sm">
              Show it
            </TextLink>
          ),
        });
      }),
    [runs, isSeen],
  );
  return <Notifications position="bottom-right" />;
}

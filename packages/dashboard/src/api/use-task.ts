import type { TaskDetailBody } from '@guise/contract/account/own.ts';
import { isTerminal } from '@guise/contract/task.ts';
import { useEffect } from 'react';
import { useLiveTask, useProgress } from './task-feed.ts';
import { type Loaded, useLoad } from './use-load.ts';

/** Interval at which an unfinished task is read, in case the stream of events is not available. */
const POLL_MS = 5000;

/** Loads a task, and keeps it up to date until it has ended. */
export function useTask(id: string): Loaded<TaskDetailBody> {
  const live = useLiveTask(id);
  const loaded = useLoad<TaskDetailBody>(`tasks/${id}`);
  const { data, error, reload } = loaded;
  const isOpen = data === null ? error === null : !isTerminal(data.status);
  const outputs = live?.result && 'outputs' in live.result ? live.result.outputs.length : 0;
  useEffect(() => {
    if (live !== undefined) reload();
  }, [live?.status, outputs, reload]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [isOpen, reload]);
  const progress = useProgress(data ?? { id, status: 'PENDING', progress: 0 });
  return data === null || data.progress === progress ? loaded : { ...loaded, data: { ...data, progress } };
}

import type { TaskBody } from '@guise/contract/ai-tasks/schemas.ts';
import { isTerminal } from '@guise/contract/task.ts';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/account.ts';
import { cancelTask, createTask, readTask } from '../../api/ai-tasks.ts';
import { patiently, pause } from '../../api/patiently.ts';

/** Interval at which the state of a running task is requested. */
const POLL_MS = 2000;

export interface Swap {
  readonly task: TaskBody | null;
  readonly error: string | null;
  /** Time of the next request if too many were sent; null if no request waits. */
  readonly waitUntil: Date | null;
  readonly isRunning: boolean;
  readonly start: (path: string, form: FormData) => Promise<void>;
  readonly cancel: () => Promise<void>;
}

/** Creates a task and reads its state until the task has ended or the user leaves the page. */
export function useSwap(onEnd: () => void): Swap {
  const [task, setTask] = useState<TaskBody | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [waitUntil, setWaitUntil] = useState<Date | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef<{ path: string; taskId: string } | null>(null);
  /**
   * Aborted when the user cancels. This may be before the service has sent a task id, because a
   * large upload takes long.
   */
  const unwanted = useRef(new AbortController());
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);

  const follow = async (path: string, taskId: string, stop: AbortSignal): Promise<void> => {
    for (;;) {
      try {
        const read = await patiently(() => readTask(path, taskId), setWaitUntil, stop);
        setTask(read);
        if (isTerminal(read.status)) return;
      } catch (failure) {
        // With status 0, the service could not be reached. The task continues without this page, so
        // the page keeps asking.
        if (!(failure instanceof ApiError && failure.status === 0)) throw failure;
      }
      await pause(POLL_MS, stop);
    }
  };

  const start = async (path: string, form: FormData): Promise<void> => {
    unwanted.current = new AbortController();
    const [isUnwanted, isLeft] = [unwanted.current.signal, left.current.signal];
    const stop = AbortSignal.any([isUnwanted, isLeft]);
    setIsRunning(true);
    setError(null);
    setTask(null);
    try {
      const { taskId } = await patiently(() => createTask(path, form), setWaitUntil, stop);
      running.current = { path, taskId };
      if (isUnwanted.aborted) await cancel();
      await follow(path, taskId, isLeft);
    } catch (failure) {
      if ((failure as Error).name !== 'AbortError') setError((failure as Error).message);
    } finally {
      running.current = null;
      setWaitUntil(null);
      setIsRunning(false);
      onEnd();
    }
  };

  const cancel = async (): Promise<void> => {
    unwanted.current.abort();
    if (running.current === null) return;
    try {
      setTask(await cancelTask(running.current.path, running.current.taskId));
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  return { task, error, waitUntil, isRunning, start, cancel };
}

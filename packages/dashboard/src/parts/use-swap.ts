import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/account.ts';
import { cancelTask, createTask, readTask, type SwapTask } from '../api/ai-tasks.ts';

const POLL_MS = 2000;

export interface Swap {
  readonly task: SwapTask | null;
  readonly error: string | null;
  readonly isRunning: boolean;
  readonly start: (path: string, form: FormData) => Promise<void>;
  readonly cancel: () => Promise<void>;
}

/** Creates a task and reads it every two seconds until it has ended; a 429 waits for the window's end. */
export function useSwap(onEnd: () => void): Swap {
  const [task, setTask] = useState<SwapTask | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef<{ path: string; taskId: string } | null>(null);
  /** Cancelled before the service had named the task: a large upload takes its time. */
  const isUnwanted = useRef(false);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const follow = async (path: string, taskId: string): Promise<void> => {
    while (!isGone.current) {
      let waitMs = POLL_MS;
      try {
        const read = await readTask(path, taskId);
        setTask(read);
        if (read.status !== 'PENDING' && read.status !== 'PROCESSING') return;
      } catch (failure) {
        if (!(failure instanceof ApiError && failure.status === 429)) throw failure;
        waitMs = (failure.resetSeconds ?? 10) * 1000;
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };

  const start = async (path: string, form: FormData): Promise<void> => {
    setIsRunning(true);
    isUnwanted.current = false;
    setError(null);
    setTask(null);
    try {
      const { taskId } = await createTask(path, form);
      running.current = { path, taskId };
      if (isUnwanted.current) await cancel();
      await follow(path, taskId);
    } catch (failure) {
      setError((failure as Error).message);
    } finally {
      running.current = null;
      setIsRunning(false);
      onEnd();
    }
  };

  const cancel = async (): Promise<void> => {
    isUnwanted.current = true;
    if (running.current === null) return;
    try {
      setTask(await cancelTask(running.current.path, running.current.taskId));
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  return { task, error, isRunning, start, cancel };
}

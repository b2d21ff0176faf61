/**
 * Reasons for which a running task must stop before its end. None of them is a failure of the task.
 */
export type StopReason = 'cancelled' | 'lease-lost' | 'shutdown';

/** Reason with which the signal of a task is aborted. */
export class TaskStopped extends Error {
  override readonly name = 'TaskStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the task was stopped: ${reason}`);
    this.reason = reason;
  }
}

export interface TaskHandle {
  readonly abort: (reason: unknown) => void;
  /** Looks at the lease now instead of at the next heartbeat. */
  readonly checkLease: () => void;
}

/**
 * Running tasks and parts of tasks of this worker, so that a cancel notification finds them.
 */
export class TaskAborts {
  readonly #handles = new Map<string, Set<TaskHandle>>();

  /** @returns a function that forgets the handle */
  add(taskId: string, handle: TaskHandle): () => void {
    const handles = this.#handles.get(taskId) ?? new Set();
    this.#handles.set(taskId, handles.add(handle));
    return () => {
      handles.delete(handle);
      if (handles.size === 0 && this.#handles.get(taskId) === handles) this.#handles.delete(taskId);
    };
  }

  cancel(taskId: string): void {
    for (const handle of this.#handles.get(taskId) ?? []) handle.abort(new TaskStopped('cancelled'));
  }

  /**
   * Checks all leases after the notification connection was lost, because a cancel may have been
   * missed.
   */
  checkAll(): void {
    for (const handles of this.#handles.values()) for (const handle of handles) handle.checkLease();
  }
}
